/** The same JSON-able value with every text in it passed through `clean`. Member names stay. */
export function redactTexts<Value>(value: Value, redact: (text: string) => string): Value {
	return mapTexts(value, redact) as Value;
}

function mapTexts(value: unknown, redact: (text: string) => string): unknown {
	if (typeof value === 'string') {
		return redact(value);
	}

	if (!isRecordOrList(value)) {
		return value;
	}

	// Most values hold nothing to be cleaned, and are handed on as they are; the first text that changes makes the copy.
	let copy: Record<string, unknown> | undefined;
	for (const name of Object.keys(value)) {
		const cleaned = mapTexts(value[name], redact);
		if (cleaned !== value[name]) {
			copy ??= copyOf(value);
			copy[name] = cleaned;
		}
	}

	return copy ?? value;
}

/** Members of a list are named by their places. */
function isRecordOrList(value: unknown): value is Readonly<Record<string, unknown>> {
	return typeof value === 'object' && value !== null;
}

function copyOf(value: Readonly<Record<string, unknown>>): Record<string, unknown> {
	return (Array.isArray(value) ? [...value] : {...value}) as Record<string, unknown>;
}
