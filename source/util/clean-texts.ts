/** The same JSON-able value with every text in it passed through `clean`. Member names stay. */
export function cleanTexts<Value>(value: Value, clean: (text: string) => string): Value {
	return mapTexts(value, clean) as Value;
}

function mapTexts(value: unknown, clean: (text: string) => string): unknown {
	if (typeof value === 'string') {
		return clean(value);
	}

	if (Array.isArray(value)) {
		return value.map(member => mapTexts(member, clean));
	}

	return typeof value === 'object' && value !== null
		? Object.fromEntries(Object.entries(value).map(([name, member]) => [name, mapTexts(member, clean)]))
		: value;
}
