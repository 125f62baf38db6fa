import {partLength, type RateSeries, type RateTotals, totalsByPart} from '../../state/rate-series.ts';
import {cell, cutLine, type Line, lineWidth, type Span, span} from '../text/span.ts';
import {countText, nothing, peakOf, sparkline} from '../text/rate-text.ts';
import {cutToWidth, textWidth} from '../text/text-width.ts';

/** A column of a list: its heading, its width with the blank at its end, and what a row has in it. */
export type Column<Row> = {
	readonly head: string;
	/** The last column takes the rest. */
	readonly cells: number | 'rest';
	/** Numbers are aligned right. Default: `left`. */
	readonly side?: 'left' | 'right';
	readonly value: (row: Row, now: number) => Span | Line;
};

/** The cells of a row. */
export function columnsLine<Row>(columns: readonly Column<Row>[], row: Row, now: number): Line {
	return columns.flatMap(({cells, side, value}): Line => {
		const shown = value(row, now);
		if (!('text' in shown)) {
			return cells === 'rest' ? shown : severalSpans(shown, cells, side);
		}

		const {text, tone} = shown;
		if (cells === 'rest') {
			return [shown];
		}

		return [side === 'right' ? rightCell(text, cells, tone) : cell(text, cells, tone)];
	});
}

/** A cell with more than one tone in it. */
function severalSpans(line: Line, cells: number, side: 'left' | 'right' = 'left'): Line {
	const cut = cutLine(line, Math.max(0, cells - 1));
	const blanks = Math.max(0, cells - 1 - lineWidth(cut));
	return side === 'right'
		? [span(' '.repeat(blanks)), ...cut, span(' ')]
		: [...cut, span(' '.repeat(blanks + Math.min(1, cells)))];
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

/** The slots of a series, and the number of the one that is under way. */
export type Slots = {readonly slots: RateSeries['seconds']; readonly last: number};

/** Bars over so many parts of a series, and what the largest of them stands for: the heading names the length of a part. */
export function barColumns<Row>(
	parts: number,
	{
		head,
		unit,
		slotsOf,
	}: {readonly head: string; readonly unit: 's' | 'm'; readonly slotsOf: (row: Row, now: number) => Slots},
): ReadonlyArray<Column<Row>> {
	const length = partLength(parts);
	const partsOf = (row: Row, now: number) => {
		const {slots, last} = slotsOf(row, now);
		const known = lastParts.get(slots);
		if (known?.last === last && known.parts.length === parts) {
			return known.parts;
		}

		const totals = totalsByPart(slots, {last, cells: parts});
		lastParts.set(slots, {last, parts: totals});
		return totals;
	};

	return parts === 0
		? []
		: [
				{head, cells: parts + 1, value: (row, now) => sparkline(partsOf(row, now))},
				{
					head: `max/${length === 1 ? '' : length}${unit}`,
					cells: peakCells,
					side: 'right',
					value(row, now) {
						const peak = peakOf(partsOf(row, now));
						return peak === 0 ? nothing : span(countText(peak), 'dim');
					},
				},
			];
}

/** The parts of each series as they were drawn last: both columns need them, in every frame. */
const lastParts = new WeakMap<Slots['slots'], {readonly last: number; readonly parts: readonly RateTotals[]}>();

/** The cells of the number behind the bars. */
const peakCells = 7;

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
