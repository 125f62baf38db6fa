/** The size of the terminal in cells. */
export type Size = {readonly columns: number; readonly rows: number};

/**
The layout that fits: `none` below 40x10, `narrow` below 60 columns or 20 rows, `single` (one column), `double` from 100x30.
*/
export type LayoutName = 'none' | 'narrow' | 'single' | 'double';

/** The layout for a size. */
export function layoutName(size: Size): LayoutName {
	if (size.columns < 40 || size.rows < 10) {
		return 'none';
	}

	if (size.columns < 60 || isLow(size)) {
		return 'narrow';
	}

	return size.columns >= 100 && size.rows >= 30 ? 'double' : 'single';
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
