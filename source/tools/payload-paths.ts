import {type JsonObject, type JsonValue} from '../util/json-text.ts';
import {exactText} from '../util/exact-text.ts';

/** Shorter values stand in every text by chance. */
const fewestCharacters = 3;
const mostPaths = 200;

/** A search costs as much as the text is long, so not every member of a huge call is looked up. */
const mostValues = 2000;

/**
The paths (`labels.0`) of the argument values that stand word for word in a text of outsiders, also as JSON writes them there
(docs/approvals.md, Answer from the dashboard); 200 at most. Names are as a card shows them. Pure.
*/
export function payloadPaths(args: JsonObject, untrusted: string): readonly string[] {
	const paths: string[] = [];
	let values = 0;
	for (const [path, text] of valuesOf(args, '')) {
		values += 1;
		if (paths.length === mostPaths || values > mostValues) {
			break;
		}

		if (text.length >= fewestCharacters && (untrusted.includes(text) || untrusted.includes(escaped(text)))) {
			paths.push(path);
		}
	}

	return paths;
}

/** Every text and number of a value with its path, in order. Arguments are nested 200 levels deep at most (`admit`). */
function* valuesOf(value: JsonValue, path: string): Generator<readonly [path: string, text: string]> {
	if (typeof value === 'string' || typeof value === 'number') {
		yield [path, String(value)];
	} else if (typeof value === 'object' && value !== null) {
		for (const [name, member] of Object.entries(value)) {
			const shown = exactText(name);
			yield* valuesOf(member, path === '' ? shown : `${path}.${shown}`);
		}
	}
}

/** A text as it stands between the quotation marks of JSON. */
function escaped(text: string): string {
	return JSON.stringify(text).slice(1, -1);
}
