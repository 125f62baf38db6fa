import {cell, type Line, type Span, span} from '../text/span.ts';
import {cutToWidth, textWidth} from '../text/text-width.ts';

/** A column of a list: its heading, its width with the blank at its end, and what a row has in it. */
export type Column<Row> = {
	readonly head: string;
	/** The last column takes the rest. */
	readonly cells: number | 'rest';
	/** Numbers are aligned right. Default: `left`. */
	readonly side?: 'left' | 'right';
	readonly value: (row: Row, now: number) => Span;
};

/** The cells of a row. */
export function columnsLine<Row>(columns: readonly Column<Row>[], row: Row, now: number): Line {
	return columns.map(({cells, side, value}) => {
		const {text, tone} = value(row, now);
		if (cells === 'rest') {
			return span(text, tone);
		}

		return side === 'right' ? rightCell(text, cells, tone) : cell(text, cells, tone);
	});
}

/** The cells of a column of texts that may be long: so many on a screen of 80 columns, and a share of what a wider one has more. */
export function wideCells(cells: number, share: number, width: number): number {
	return cells + Math.floor(Math.max(0, width - 78) * share);
}

function rightCell(text: string, cells: number, tone: Span['tone']): Span {
	const cut = cutToWidth(text, cells - 1);
	return span(`${' '.repeat(Math.max(0, cells - 1 - textWidth(cut)))}${cut} `, tone);
}

/** Into how many parts of equal length an hour or a minute is divided, to be drawn in so many cells with a blank behind them. */
export function partsThatFit(cells: number): number {
	return [60, 30, 20, 15, 12, 10, 6].find(parts => parts < cells) ?? 0;
}

/** The position of a heading above its column. */
export type ColumnHead = {readonly text: string; readonly start: number};

/** The headings of columns that begin at `start`; those without one are left out. */
export function columnHeads(
	columns: ReadonlyArray<Pick<Column<never>, 'head' | 'cells' | 'side'>>,
	start: number,
): readonly ColumnHead[] {
	let end = start;
	return columns.flatMap(({head, cells, side}) => {
		const width = cells === 'rest' ? 0 : cells;
		const at = side === 'right' ? end + width - 1 - textWidth(head) : end;
		end += width;
		return head === '' ? [] : [{text: head, start: at}];
	});
}
