import {safeText} from '../../util/safe-text.ts';

/** The widest a cell gets, in characters; the full text is in the JSON. */
const widestCell = 80;

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

function pad(cell: string, width: number): string {
	return cell + ' '.repeat(Math.max(0, width - lengthOf(cell)));
}

function lengthOf(text: string): number {
	return Array.from(text).length;
}
