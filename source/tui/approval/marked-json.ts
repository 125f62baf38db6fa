import {type JsonValue} from '../../util/json-text.ts';

/** A line of JSON, and whether its value is to be marked. */
export type JsonLine = {readonly text: string; readonly marked: boolean};

/** Bounds on the indentation and on the number of lines. */
export type JsonBounds = {readonly maxIndent: number; readonly maxLines: number};

const unbounded: JsonBounds = {maxIndent: Number.POSITIVE_INFINITY, maxLines: Number.POSITIVE_INFINITY};

/**
A value as `JSON.stringify` with two blanks would write it, line by line; values at the paths (`labels.0`) are marked, with all that is in them.
Nothing is written after the last line that is allowed.
*/
export function markedJson(
	value: JsonValue,
	paths: ReadonlySet<string>,
	bounds: JsonBounds = unbounded,
): readonly JsonLine[] {
	const lines: JsonLine[] = [];
	addLines({value, path: '', before: '', after: '', depth: 0, marked: false}, {lines, paths, bounds});
	return lines;
}

/** A value of the document, at its depth and with the text around it. */
type NestedValue = {
	readonly value: JsonValue;
	readonly path: string;
	/** Text around the value, in its first and its last line. */
	readonly before: string;
	readonly after: string;
	readonly depth: number;
	readonly marked: boolean;
};

type Writing = {readonly lines: JsonLine[]; readonly paths: ReadonlySet<string>; readonly bounds: JsonBounds};

function addLines(nested: NestedValue, writing: Writing): void {
	const {value, before, after, path, depth} = nested;
	const {lines, paths, bounds} = writing;
	const marked = nested.marked || paths.has(path);
	const indent = ' '.repeat(Math.min(depth * 2, bounds.maxIndent));
	const add = (text: string) => {
		if (lines.length < bounds.maxLines) {
			lines.push({text: indent + text, marked});
		}
	};

	const members = membersOf(value);
	if (members.length === 0) {
		add(`${before}${JSON.stringify(value)}${after}`);
		return;
	}

	const isList = Array.isArray(value);
	add(`${before}${isList ? '[' : '{'}`);
	for (const [index, [name, member]] of members.entries()) {
		if (lines.length >= bounds.maxLines) {
			return;
		}

		addLines(
			{
				value: member,
				path: path === '' ? name : `${path}.${name}`,
				before: isList ? '' : `${JSON.stringify(name)}: `,
				after: index === members.length - 1 ? '' : ',',
				depth: depth + 1,
				marked,
			},
			writing,
		);
	}

	add(`${isList ? ']' : '}'}${after}`);
}

function membersOf(value: JsonValue): ReadonlyArray<readonly [string, JsonValue]> {
	return typeof value === 'object' && value !== null ? Object.entries(value) : [];
}
