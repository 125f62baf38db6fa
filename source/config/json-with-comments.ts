import {type JsonValue, parseJson} from '../util/json-text.ts';

/** Texts stay, comments go, and so does a comma that nothing follows. */
const pieces =
	/("(?:\\[\s\S]|[^"\\])*")|\/\/[^\r\n]*|\/\*[\s\S]*?\*\/|,(?=\s*(?:\/\/[^\r\n]*\s*|\/\*[\s\S]*?\*\/\s*)*[\]}])/gu;

/** Parses JSON as editors write it, with comments and trailing commas. Undefined when it is none. */
export function parseJsonWithComments(text: string): JsonValue | undefined {
	const plain = text.replace(/^\uFEFF/u, '').replaceAll(pieces, (_, quoted: string | undefined) => quoted ?? ' ');
	return parseJson(plain);
}
