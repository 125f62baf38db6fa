/** The most fields of a form (docs/webhooks.md, Limits). */
export const maxFormFields = 10_000;

/** The fields of a form in the order sent, each read once; undefined when there are more than 10,000, which are not parsed. */
export function readFormFields(text: string): ReadonlyArray<readonly [name: string, value: string]> | undefined {
	return hasMoreFields(text) ? undefined : [...new URLSearchParams(text)];
}

/** Each name with its values, names and values in the order in which they first came. */
export function valuesByName(
	fields: ReadonlyArray<readonly [name: string, value: string]>,
): ReadonlyMap<string, readonly string[]> {
	const byName = new Map<string, string[]>();
	for (const [name, value] of fields) {
		const values = byName.get(name);
		if (values) {
			values.push(value);
		} else {
			byName.set(name, [value]);
		}
	}

	return byName;
}

/** Counts separators, so an empty piece between two of them counts as well. */
function hasMoreFields(text: string): boolean {
	let fields = 1;
	for (let at = text.indexOf('&'); at !== -1 && fields <= maxFormFields; at = text.indexOf('&', at + 1)) {
		fields++;
	}

	return fields > maxFormFields;
}
