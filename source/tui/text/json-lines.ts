import {type Tone} from '../../state/entities/status-text.ts';
import {parseJson} from '../../util/json-text.ts';
import {type Line, span} from './span.ts';
import {splitSpans} from './split-spans.ts';
import {splitAtWidth} from './text-width.ts';

/** A name with its colon, a string, a number, a word, a bracket, blanks; one directly behind the other, so that another text ends the search. */
const token =
	/(?<name>"(?:[^"\\]|\\.)*"(?=\s*:))|(?<string>"(?:[^"\\]|\\.)*")|(?<number>-?\d[\d.eE+-]*|true|false|null)|(?<mark>[{}[\],:])|(?<blank>\s+)/guy;

const tones: ReadonlyArray<readonly [group: string, tone: Tone]> = [
	['name', 'name'],
	['string', 'string'],
	['number', 'number'],
];

/** A longer line needs more stack than there is for a string with so many escapes, and a longer document stays as it is. */
export const maxColouredCharacters = 100_000;

/** A line of JSON in the tones of its tokens; one that is anything else, or very long, is in one piece. */
export function jsonSpans(line: string): Line {
	if (line.length > maxColouredCharacters) {
		return [span(line)];
	}

	const pieces = [...line.matchAll(token)];
	const isAll = pieces.reduce((sum, [text]) => sum + text.length, 0) === line.length;
	return isAll
		? pieces.map(({0: text, groups}) => span(text, tones.find(([group]) => groups?.[group] !== undefined)?.[1]))
		: [span(line)];
}

/** An exact text, indented by a cell, its lines of JSON in colours and long ones split anywhere; a document of a single line has a line for each member. */
export function jsonLines(text: string, width: number): readonly Line[] {
	return (memberLines(text) ?? text.split('\n')).flatMap(line =>
		splitSpans(jsonSpans(line), splitAtWidth(line, width - 2)).map((part): Line => [span(' '), ...part]),
	);
}

/** A JSON document of one line with a line for each member. Its tokens stay as they are written: a number keeps all of its digits. */
function memberLines(text: string): readonly string[] | undefined {
	if (
		!/^[{[]/u.test(text) ||
		text.includes('\n') ||
		text.length > maxColouredCharacters ||
		parseJson(text) === undefined
	) {
		return undefined;
	}

	const lines: string[] = [];
	let line = '';
	let depth = 0;
	const end = () => {
		lines.push(line);
		line = '  '.repeat(depth);
	};

	const tokens = [...text.matchAll(token)].filter(({groups}) => groups?.['blank'] === undefined);
	for (const [index, [written]] of tokens.entries()) {
		const before = tokens[index - 1]?.[0] ?? '';
		const isEmpty = /^[}\]]$/u.test(written) && /^[{[]$/u.test(before);
		if (/^[}\]]$/u.test(written)) {
			depth--;
			if (!isEmpty) {
				end();
			}
		} else if (/^[{[]$/u.test(before) || before === ',') {
			end();
		}

		depth += /^[{[]$/u.test(written) ? 1 : 0;
		line += written === ':' ? ': ' : written;
	}

	return [...lines, line];
}
