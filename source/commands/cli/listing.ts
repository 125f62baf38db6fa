import {dateAndTime} from '../../state/time-text.ts';
import {safeText} from '../../util/safe-text.ts';
import {printableJson, readable} from '../../util/shown-json.ts';
import {type CommandContext} from './command.ts';

/** The widest a cell gets, in columns of the terminal; the full text is in the JSON. */
export const widestCell = 80;

/** An address is only of use as a whole, so a cell with one may be wider. This is what browsers take. */
const longestAddress = 2083;
const address = /\b[a-z][a-z\d+.-]{1,20}:\/\/\S+/giu;

/** Text that is typed or opened exactly as it is: a command in back quotes, or an address. */
const fullParts = /`[^`]+`|\b[a-z][a-z\d+.-]{1,20}:\/\/\S+/giu;

/** Each of these takes one column: ASCII, and what we put between texts. */
const plain = /^[\x20-\x7E·…]*$/u;

/** The block Tags of Unicode, which repeats ASCII invisibly. */
const tagCharacter = /[\u{E0000}-\u{E007F}]/gu;

/** Prints a listing: as one JSON document, as a table, or on stderr that there is nothing to list. */
export async function printRows<Row extends object>(
	context: Pick<CommandContext, 'flags' | 'stdout' | 'stderr'>,
	rows: readonly Row[],
	{
		titles: ownTitles,
		cells: ownCells,
		below,
		end,
		none,
	}: {
		readonly titles: readonly string[];
		/** The cells of a row, in the order of the titles. Where a row names its gateway in `node`, that comes behind the id. */
		readonly cells: (row: Row) => readonly string[];
		/** Text too long for a cell, in lines below the row; safe to show. It also repeats a reason that a terminal cuts. */
		readonly below?: (row: Row) => readonly string[];
		/** Lines under the table; safe to show. */
		readonly end?: readonly string[];
		/** The line for an empty listing. */
		readonly none: string;
	},
): Promise<void> {
	if (context.flags.json) {
		context.stdout(jsonDocument(rows));
	} else if (rows.length === 0) {
		context.stderr(`${none}\n`);
	} else {
		const isShared = rows.some(row => nodeOf(row) !== '');
		const withNode = (cells: readonly string[], node: string) =>
			isShared ? cells.toSpliced(ownTitles.indexOf('ID') + 1, 0, node) : cells;
		const titles = withNode(ownTitles, 'NODE');
		const texts = rows.map(row => withNode(ownCells(row), nodeOf(row)));
		// A pipe gets all of it: a program or a pager reads on.
		const columns = process.stdout.isTTY ? process.stdout.columns : undefined;
		const [head = '', ...lines] = (await textTable(titles, texts, columns)).trimEnd().split('\n');
		const details = rows.map((row, index) => {
			const own = below?.(row) ?? [];
			const reason = safeText(texts[index]?.[titles.indexOf('REASON')] ?? '');
			// A list with lines below its rows has nothing else that shows one whole.
			const needed = below ? [reason] : (reason.match(fullParts) ?? []);
			const isCut = columns !== undefined && !areShown(needed, [lines[index] ?? '', ...own]);
			return isCut ? [...own, `  reason: ${reason}`] : own;
		});
		context.stdout(
			[head, ...lines.flatMap((line, index) => [line, ...(details[index] ?? [])]), ...(end ?? []), ''].join('\n'),
		);
	}
}

/** Prints the result of a command: as one JSON document, or as text. */
export function printResult(
	{flags, stdout}: Pick<CommandContext, 'flags' | 'stdout'>,
	document: object,
	text: string,
): void {
	stdout(flags.json ? jsonDocument(document) : text);
}

/** The gateway of a row, where several share the journal; otherwise empty. */
function nodeOf(row: {readonly node?: unknown}): string {
	return typeof row.node === 'string' ? row.node : '';
}

/** True if each part is complete in one of the lines. */
function areShown(parts: readonly string[], lines: readonly string[]): boolean {
	return parts.every(part => lines.some(line => line.includes(part)));
}

/**
One JSON document, indented, with a line break at its end. The same values for programs, and nothing in it moves a cursor. Tag characters
alone are replaced by marks: they are never seen, and what they spell is meant for a model that reads the values.
*/
export function jsonDocument(value: unknown): string {
	const text = JSON.stringify(readable(value), null, 2).replaceAll(tagCharacter, character => safeText(character));
	return `${printableJson(text)}\n`;
}

/**
Lines of aligned columns under their titles. Cells may be texts from outside. What is wider than `columns`, those of a terminal, is cut in the columns
of prose, the widest first; ids, names and addresses stay whole, and such a line wraps.
*/
export async function textTable(
	titles: readonly string[],
	rows: ReadonlyArray<readonly string[]>,
	columns = Number.POSITIVE_INFINITY,
): Promise<string> {
	const widthOf = await measureFor(rows.flat());
	const cells = [titles, ...rows.map(row => row.map(cell => cellText(cell, widthOf)))];
	const whole = titles.map((_, column) => Math.max(...cells.map(row => widthOf(row[column] ?? ''))));
	const widths = fittedWidths(titles, whole, columns);
	const pad = (cell: string, column: number) => {
		const shown = cutCell(cell, widths[column] ?? 0, widthOf);
		return shown + ' '.repeat(Math.max(0, (widths[column] ?? 0) - widthOf(shown)));
	};

	return cells.map(row => `${row.map(pad).join('  ').trimEnd()}\n`).join('');
}

/** The columns that are read and not typed on. */
const proseTitles: ReadonlySet<string> = new Set([
	'ARGUMENTS',
	'DESCRIPTION',
	'EVENTS',
	'FIELDS',
	'FROM',
	'QUESTION',
	'REASON',
	'RESULT',
	'SCOPES',
]);

const narrowestProse = 10;

/** The widths of the columns after those of prose gave up what does not fit. */
function fittedWidths(titles: readonly string[], widths: readonly number[], columns: number): readonly number[] {
	const fitted = [...widths];
	const excess = () => fitted.reduce((sum, width) => sum + width + 2, -2) - columns;
	while (excess() > 0) {
		const widest = titles.reduce(
			(found, title, column) =>
				proseTitles.has(title) && (fitted[column] ?? 0) > Math.max(narrowestProse, fitted[found] ?? 0) ? column : found,
			-1,
		);
		if (widest === -1) {
			return fitted;
		}

		fitted[widest] = (fitted[widest] ?? 0) - 1;
	}

	return fitted;
}

function cutCell(cell: string, width: number, widthOf: WidthOf): string {
	return widthOf(cell) <= width ? cell : `${cell.slice(0, endWithin(cell, widthOf, width - 1))}…`;
}

type WidthOf = (text: string) => number;

/** The library takes longer to load than most commands run, so it is loaded for texts that need it. */
async function measureFor(texts: readonly string[]): Promise<WidthOf> {
	if (texts.every(text => plain.test(text))) {
		return text => text.length;
	}

	const {default: stringWidth} = await import('string-width');
	return text => (plain.test(text) ? text.length : stringWidth(text));
}

/** The text, safe to show, in as many columns as a cell has. Where the cut would go through an address, it comes after it. */
function cellText(text: string, widthOf: WidthOf): string {
	const shown = safeText(text, {maximumCharacters: longestAddress});
	const end = endWithin(shown, widthOf);
	const isCut = ({index, 0: {length}}: RegExpExecArray) => index < end && index + length > end;
	const cut = shown.length === end ? undefined : [...shown.matchAll(address)].find(isCut);
	const head = cut ? shown.slice(0, cut.index + cut[0].length) : shown.slice(0, end);
	return safeText(text, {maximumCharacters: Array.from(head).length});
}

/** The length of the text, in UTF-16 units, that fits into a width. */
function endWithin(text: string, widthOf: WidthOf, width = widestCell): number {
	let end = 0;
	let used = 0;
	for (const character of text) {
		used += widthOf(character);
		if (used > width) {
			return end;
		}

		end += character.length;
	}

	return end;
}

/** A time of a listing, to the second in local time; `-` when there is none. */
export function timeText(time: number | null): string {
	return time === null ? '-' : dateAndTime(time);
}
