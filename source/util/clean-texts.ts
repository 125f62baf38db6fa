/** The same JSON-able value with every text in it passed through `clean`. Member names stay. */
export function cleanTexts<Value>(value: Value, clean: (text: string) => string): Value {
	return mapTexts(value, clean) as Value;
}

function mapTexts(value: unknown, clean: (text: string) => string): unknown {
	if (typeof value === 'string') {
		return clean(value);
	}

	if (Array.isArray(value)) {
		const cleaned = value.map(member => mapTexts(member, clean));
		return cleaned.some((member, index) => member !== value[index]) ? cleaned : value;
	}

	if (typeof value !== 'object' || value === null) {
		return value;
	}

	// Most values hold nothing to be cleaned, and are handed on as they are.
	const members = Object.entries(value);
	const cleaned = members.map(([name, member]): [string, unknown] => [name, mapTexts(member, clean)]);
	return cleaned.some(([, member], index) => member !== members[index]?.[1]) ? Object.fromEntries(cleaned) : value;
}
