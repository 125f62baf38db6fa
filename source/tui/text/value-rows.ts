import {glyphs, type Tone} from '../../state/entities/status-text.ts';
import {tagOwnGlyphs, uiText} from '../../util/characters/ui-glyphs.ts';
import {framePattern, gutterPattern} from '../../util/values/line-wording.ts';
import {exactLineOf, visibleLine} from '../../util/values/text-lines.ts';
import {type ValueLine, valueLines} from '../../util/values/value-lines.ts';
import {jsonLines, jsonSpans, maxColouredCharacters} from './json-lines.ts';
import {createPatchReader} from './patch-tones.ts';
import {type Line, type Span, span} from './span.ts';
import {splitSpans} from './split-spans.ts';
import {splitCells} from './text-width.ts';

/** Cells before a line, and the one behind it where it goes on. */
const marginCells = 3;

/**
Lines of a shown value in rows. A line that is too long goes on in the next row: both sides carry a mark, and the gutter is repeated, so that a value can neither pose
as the next member or line nor end in blanks that nobody sees. At most `maxRows`.
*/
export function valueRows(
	lines: readonly ValueLine[],
	width: number,
	maxRows = Number.POSITIVE_INFINITY,
): readonly Line[] {
	const rows: Line[] = [];
	let patchTone = createPatchReader();
	for (const line of lines) {
		if (rows.length >= maxRows) {
			break;
		}

		const [numbers = ''] = gutterPattern.exec(line.text) ?? [];
		const content = line.text.slice(numbers.length);
		if (numbers === '') {
			patchTone = createPatchReader();
			addRows({numbers, marked: line.marked, spans: frameSpans(content)}, {width, maxRows}, rows);
		} else {
			const tone = signTone(numbers) ?? patchTone(content);
			const spans = withSigns(tone ? [span(content, tone)] : jsonSpans(content));
			addRows({numbers, marked: line.marked, spans}, {width, maxRows}, rows);
		}
	}

	return rows;
}

/** A line in pieces: its gutter, and what is behind it in its tones. */
type ColouredLine = {
	readonly numbers: string;
	readonly marked: boolean;
	readonly spans: Line;
};

/** An exact text in rows: its lines, or one line that may be JSON. */
export function textRows(text: string, width: number): readonly Line[] {
	return text.includes('\n')
		? valueRows(valueLines(text, {form: 'lines'}).lines, width)
		: jsonLines(visibleLine(text), width);
}

/** The lines of a text that was drawn in parts, as they are. */
export function withoutGutters(text: string): string {
	return text
		.split('\n')
		.map(line => (gutterPattern.test(line) ? exactLineOf(line.replace(gutterPattern, '')) : line))
		.join('\n');
}

function addRows(
	{numbers, marked, spans}: ColouredLine,
	{width, maxRows}: {readonly width: number; readonly maxRows: number},
	rows: Line[],
): void {
	const cells = Math.max(1, width - marginCells - numbers.length);
	// A cell takes two units at most: a line of megabytes is not split beyond the last row.
	const content = spans
		.map(({text}) => text)
		.join('')
		.slice(0, maxRows * cells * 2);
	const parts = splitCells(content, cells);
	const coloured = parts.length === 1 ? [spans] : splitSpans(spans, parts);
	for (const [index, part] of parts.entries()) {
		rows.push([
			span(marked ? glyphs.payload : ' ', 'notice'),
			span(index === 0 ? ' ' : uiText`…`, 'dim'),
			...gutterSpans(numbers, index === 0 ? 'first' : 'further'),
			...(marked ? markedSpans(coloured[index] ?? [span(part)]) : (coloured[index] ?? [])),
			...(index === parts.length - 1 ? [] : [span(uiText`…`, 'dim')]),
		]);
	}
}

function gutterSpans(numbers: string, row: 'first' | 'further'): readonly Span[] {
	if (numbers === '') {
		return [];
	}

	const shown = row === 'first' ? numbers.slice(0, -2) : ' '.repeat(numbers.length - 2);
	return [span(tagOwnGlyphs(shown), signTone(numbers) ?? 'dim'), span(`${glyphs.gutter} `, 'dim')];
}

/** The tone of a line of an edit, by the sign in front of the bar. */
function signTone(numbers: string): Tone | undefined {
	const sign = numbers.at(-4);
	return sign === '-' ? 'removed' : sign === '+' ? 'added' : undefined;
}

function frameSpans(text: string): Line {
	const {json, words} = (text.length > maxColouredCharacters ? null : framePattern.exec(text))?.groups ?? {};
	return json === undefined || words === undefined
		? jsonSpans(text)
		: [...jsonSpans(json), span(tagOwnGlyphs(words), 'dim')];
}

/** Escapes and control pictures: no text has one that is not a sign. */
const signs = /(‹[^‹›]*›|[\u2400-\u2421]+)/u;

/** Signs in a tone of their own. */
function withSigns(line: Line): Line {
	return line.every(({text}) => !signs.test(text))
		? line
		: line.flatMap(({text, tone}) =>
				text.split(signs).flatMap((part, index) => (part === '' ? [] : [span(part, index % 2 === 1 ? 'sign' : tone)])),
			);
}

function markedSpans(line: Line): Line {
	return line.map(({text, tone}) => span(text, tone === 'sign' ? tone : 'marked'));
}
