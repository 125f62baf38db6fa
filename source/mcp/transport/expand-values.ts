/** The members of a mapping with their variable references replaced. */
export function expandValues(
	values: Readonly<Record<string, string>>,
	expand: (text: string) => string,
): Record<string, string> {
	return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, expand(value)]));
}
