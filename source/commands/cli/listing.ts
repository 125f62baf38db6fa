import {dateAndTime} from '../../state/time-text.ts';
import {safeText} from '../../util/safe-text.ts';
import {type CommandContext} from './command.ts';

/** The widest a cell gets, in columns of the terminal; the full text is in the JSON. */
export const widestCell = 80;

/** An address is only of use as a whole, so a cell with one may be wider. This is what browsers take. */
const longestAddress = 2083;
const address = /\b[a-z][a-z\d+.-]{1,20}:\/\/\S+/giu;

/** Each of these takes one column: ASCII, and what we put between texts. */
const plain = /^[\x20-\x7E·…]*$/u;

/** What a terminal could obey, or hide from the eye, although JSON lets it stand as it is. */
const hostileInJson = /[\u007F-\u009F\p{Cf}\p{Co}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/gu;

/** The block Tags of Unicode, which repeats ASCII invisibly. */
const tagCharacter = /[\u{E0000}-\u{E007F}]/gu;

/** Prints a listing: as one JSON document, as a table, or on stderr that there is nothing to list. */
export async function printRows<Row>(
	context: Pick<CommandContext, 'flags' | 'stdout' | 'stderr'>,
	rows: readonly Row[],
	{
		titles,
		cells,
		below,
		none,
	}: {
		readonly titles: readonly string[];
		/** The cells of a row, in the order of the titles. */
		readonly cells: (row: Row) => readonly string[];
		/** What is too long for a cell, in lines below the row; safe to show. */
		readonly below?: (row: Row) => readonly string[];
		/** What is said when there are no rows. */
		readonly none: string;
	},
): Promise<void> {
	if (context.flags.json) {
		context.stdout(jsonDocument(rows));
	} else if (rows.length === 0) {
		context.stderr(`${none}\n`);
	} else {
		const [head = '', ...lines] = (await textTable(titles, rows.map(cells))).trimEnd().split('\n');
		const details = rows.map(row => below?.(row) ?? []);
		context.stdout([head, ...lines.flatMap((line, index) => [line, ...(details[index] ?? [])]), ''].join('\n'));
	}
}

/**
One JSON document, indented, with a line break at its end. The same values for programs, and nothing in it moves a cursor. Tag characters
alone are replaced by marks: they are never seen, and what they spell is meant for a model that reads the values.
*/
export function jsonDocument(value: unknown): string {
	const text = JSON.stringify(value, null, 2).replaceAll(tagCharacter, character => safeText(character));
	return `${text.replaceAll(hostileInJson, escape)}\n`;
}

/** Lines of aligned columns under their titles. Cells may be texts from outside. */
export async function textTable(titles: readonly string[], rows: ReadonlyArray<readonly string[]>): Promise<string> {
	const widthOf = await measureFor(rows.flat());
	const cells = [titles, ...rows.map(row => row.map(cell => cellText(cell, widthOf)))];
	const widths = titles.map((_, column) => Math.max(...cells.map(row => widthOf(row[column] ?? ''))));
	const pad = (cell: string, column: number) => cell + ' '.repeat(Math.max(0, (widths[column] ?? 0) - widthOf(cell)));
	return cells.map(row => `${row.map(pad).join('  ').trimEnd()}\n`).join('');
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

/** How much of a text, in UTF-16 units, fits into a cell. */
function endWithin(text: string, widthOf: WidthOf): number {
	let end = 0;
	let used = 0;
	for (const character of text) {
		used += widthOf(character);
		if (used > widestCell) {
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

function escape(character: string): string {
	return character
		.split('')
		.map(unit => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
		.join('');
}
