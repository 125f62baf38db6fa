import {dateAndTime} from '../../state/time-text.ts';
import {safeText} from '../../util/safe-text.ts';
import {type CommandContext} from './command.ts';

/** The widest a cell gets, in characters; the full text is in the JSON. */
const widestCell = 80;

/** What a terminal could obey, or hide from the eye, although JSON lets it stand as it is. */
const hostileInJson = /[\u007F-\u009F\p{Cf}\p{Co}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/gu;

/** Prints a listing: as one JSON document, as a table, or on stderr that there is nothing to list. */
export function printRows<Row>(
	context: Pick<CommandContext, 'flags' | 'stdout' | 'stderr'>,
	rows: readonly Row[],
	{
		titles,
		cells,
		none,
	}: {
		readonly titles: readonly string[];
		/** The cells of a row, in the order of the titles. */
		readonly cells: (row: Row) => readonly string[];
		/** What is said when there are no rows. */
		readonly none: string;
	},
): void {
	if (context.flags.json) {
		context.stdout(jsonDocument(rows));
	} else if (rows.length === 0) {
		context.stderr(`${none}\n`);
	} else {
		context.stdout(textTable(titles, rows.map(cells)));
	}
}

/** One JSON document, indented, with a line break at its end. The same values for programs, and nothing in it moves a cursor. */
export function jsonDocument(value: unknown): string {
	return `${JSON.stringify(value, null, 2).replaceAll(hostileInJson, escape)}\n`;
}

/** Lines of aligned columns under their titles. Cells may be texts from outside. */
export function textTable(titles: readonly string[], rows: ReadonlyArray<readonly string[]>): string {
	const cells = [titles, ...rows.map(row => row.map(cell => safeText(cell, {maximumCharacters: widestCell})))];
	const widths = titles.map((_, column) => Math.max(...cells.map(row => lengthOf(row[column] ?? ''))));
	return cells
		.map(
			row =>
				`${row
					.map((cell, column) => pad(cell, widths[column] ?? 0))
					.join('  ')
					.trimEnd()}\n`,
		)
		.join('');
}

/** A time of a listing, to the second in local time; `-` when there is none. */
export function timeText(time: number | null): string {
	return time === null ? '-' : dateAndTime(time);
}

function pad(cell: string, width: number): string {
	return cell + ' '.repeat(Math.max(0, width - lengthOf(cell)));
}

function lengthOf(text: string): number {
	return Array.from(text).length;
}

function escape(character: string): string {
	return character
		.split('')
		.map(unit => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
		.join('');
}
