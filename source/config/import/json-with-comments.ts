import {type JsonValue, parseJson} from '../../util/json-text.ts';

/** Each can be read in one way only, and takes what has no end to the end: nothing is tried twice, however a file is written. */
const comment = String.raw`\/\/[^\r\n]*|\/\*(?:[^*]|\*(?!\/))*(?:\*\/|$)`;
const quotedText = String.raw`"(?:\\[^]|[^"\\])*(?:"|\\?$)`;

/** Texts stay, comments go, and so does a comma that nothing follows. */
const pieces = new RegExp(
	String.raw`(${quotedText})|${comment}|,(?=(?:\s|\/\/[^\r\n]*(?=[\r\n]|$)|\/\*(?:[^*]|\*(?!\/))*\*\/)*[\]}])`,
	'gu',
);

/** Parses JSON as editors write it, with comments and trailing commas. Undefined when it is none. */
export function parseJsonWithComments(text: string): JsonValue | undefined {
	const plain = text.replace(/^\uFEFF/u, '').replaceAll(pieces, (_, quoted: string | undefined) => quoted ?? ' ');
	return parseJson(plain);
}
