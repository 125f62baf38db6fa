import {isJsonObject} from './json-text.ts';

/** The same JSON-able value with every string in it passed through `redact`. Member names stay, and so does every object that is a member named `exempt`. */
export function redactTexts<Value>(value: Value, redact: (text: string) => string, exempt?: string): Value {
	return mapTexts(value, redact, exempt) as Value;
}

function mapTexts(value: unknown, redact: (text: string) => string, exempt: string | undefined): unknown {
	if (typeof value === 'string') {
		return redact(value);
	}

	if (!isRecordOrList(value)) {
		return value;
	}

	// Most values need no change and are returned unchanged; the first changed string makes the copy.
	let copy: Record<string, unknown> | undefined;
	for (const name of Object.keys(value)) {
		const cleaned = name === exempt && isJsonObject(value[name]) ? value[name] : mapTexts(value[name], redact, exempt);
		if (cleaned !== value[name]) {
			copy ??= copyOf(value);
			copy[name] = cleaned;
		}
	}

	return copy ?? value;
}

/** List items are named by their index. */
function isRecordOrList(value: unknown): value is Readonly<Record<string, unknown>> {
	return typeof value === 'object' && value !== null;
}

function copyOf(value: Readonly<Record<string, unknown>>): Record<string, unknown> {
	return (Array.isArray(value) ? [...value] : {...value}) as Record<string, unknown>;
}
