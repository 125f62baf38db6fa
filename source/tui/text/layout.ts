/** The size of the terminal, or of one of its two columns, in cells. */
export type Size = {readonly columns: number; readonly rows: number; readonly part?: 'column'};

/**
The layout that fits: `none` below 40x10, `narrow` below 60 columns or 20 rows, `single` (one list), `double` (details below it) from 100x30, and
`column` for a list or page beside the other.
*/
export type LayoutName = 'none' | 'narrow' | 'single' | 'double' | 'column';

/** The layout for a size. */
export function layoutName(size: Size): LayoutName {
	if (size.part === 'column') {
		return 'column';
	}

	if (size.columns < 40 || size.rows < 10) {
		return 'none';
	}

	if (size.columns < 60 || isLow(size)) {
		return 'narrow';
	}

	return size.columns >= 100 && size.rows >= 30 ? 'double' : 'single';
}

/** True if the page of the picked row has room beside its list: from 160x20, and in the columns of such a screen. */
export function hasColumns({columns, rows, part}: Size): boolean {
	return part === 'column' || (columns >= 160 && rows >= 20);
}

/** The sizes of a list and of the page beside it; a line is between them. */
export function columnSizes({columns, rows}: Size): {readonly list: Size; readonly page: Size} {
	const list = Math.floor(columns / 2);
	return {list: {columns: list, rows, part: 'column'}, page: {columns: columns - list - 1, rows, part: 'column'}};
}

/** True if the screen is so low that each row counts. */
export function isLow({rows}: Pick<Size, 'rows'>): boolean {
	return rows < 20;
}

/** Header, tabs, two banners, a pane's title, toast and last line; a narrow screen has the tabs in the header. */
function frameRows(size: Size): number {
	return layoutName(size) === 'narrow' ? 6 : 7;
}

/** Number of rows that a key like page down moves: the screen without everything that may surround the text. */
export function pageRows(size: Size): number {
	return Math.max(1, size.rows - frameRows(size));
}
