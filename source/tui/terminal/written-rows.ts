import {isPlain} from '../text/segments.ts';

/** Writes a text at a cell; transformers are applied to each of its lines. */
type Write = {
	readonly type: 'write';
	readonly x: number;
	readonly y: number;
	readonly text: string;
	readonly transformers: ReadonlyArray<(line: string, index: number) => string>;
};

/** What Ink is about to do to a frame: texts, and which of them are cut. */
export type Operation = Write | {readonly type: 'clip'} | {readonly type: 'unclip'};

/** One row of a frame, as far as it is written; `cells` where only cells tell what comes out. */
type Row = {readonly text: string; readonly end: number} | 'cells';

/** A write, the rows it touches, and its cells in the one row of a plain line. */
type Piece = {readonly operation: Operation; readonly height: number; readonly width: number | undefined};

/**
The rows of a frame that can be put together from the texts that are written to them. Ink takes every text apart into cells and makes texts of
them again, which is most of what a frame costs; for plain lines beside each other that changes nothing a reader could see.
Rows that need cells are left out; `rest` has the operations that write them.
*/
export function writtenRows(
	operations: readonly Operation[],
	height: number,
): {readonly rows: ReadonlyArray<string | undefined>; readonly rest: readonly Operation[]} {
	const pieces = piecesOf(operations);
	const rows = Array.from({length: height}, (): Row => ({text: '', end: 0}));
	for (const {operation, height: touched, width} of pieces) {
		for (let y = 0; operation.type === 'write' && y < touched; y++) {
			const row = rows[operation.y + y];
			if (row) {
				rows[operation.y + y] = rowAfter(row, operation, width);
			}
		}
	}

	const needsCells = ({operation, height: touched}: Piece) =>
		operation.type !== 'write' || rows.slice(Math.max(0, operation.y), operation.y + touched).includes('cells');
	return {
		rows: rows.map(row => (row === 'cells' ? undefined : row.text.trimEnd())),
		rest: rows.includes('cells') ? pieces.filter(needsCells).map(({operation}) => operation) : [],
	};
}

function rowAfter(row: Row, {x, text}: Write, width: number | undefined): Row {
	return row === 'cells' || width === undefined || x < row.end
		? 'cells'
		: {text: row.text + ' '.repeat(x - row.end) + text, end: x + width};
}

/** Texts whose lines are independent are taken line by line; what may be cut stays whole. */
function piecesOf(operations: readonly Operation[]): Piece[] {
	let clips = 0;
	return operations.flatMap(operation => {
		if (operation.type !== 'write') {
			clips += operation.type === 'clip' ? 1 : -1;
			return [{operation, height: 0, width: undefined}];
		}

		return clips === 0 ? linesOf(operation) : [whole(operation)];
	});
}

function whole(operation: Write): Piece {
	return {operation, height: operation.text.split('\n').length, width: undefined};
}

function linesOf(operation: Write): Piece[] {
	const lines: Piece[] = [];
	for (const [index, line] of operation.text.split('\n').entries()) {
		const text = operation.transformers.reduce((changed, transform) => transform(changed, index), line);
		const shown = withoutStyles(text);
		if (shown === undefined) {
			return [whole(operation)];
		}

		const width = isPlain(shown) ? shown.length : undefined;
		lines.push({operation: {...operation, y: operation.y + index, text, transformers: []}, height: 1, width});
	}

	return lines;
}

const anyStyle = /\u001B\[(\d+)m/gu;

/** The line without its styles; undefined when a style does not end in it, or is not known here. */
function withoutStyles(line: string): string | undefined {
	const open = new Set<number | undefined>();
	const shown = line.replaceAll(anyStyle, (_, digits: string) => {
		const code = Number(digits);
		if (!allEnds.has(code)) {
			open.add(ends.get(code));
		} else {
			open.delete(code);
		}

		return '';
	});
	return open.size === 0 && !shown.includes('\u001B') ? shown : undefined;
}

const firstColours = [30, 90];
const firstBackgrounds = [40, 100];
const eight = [...Array(8).keys()];

/** The styles that are known here, and what ends each of them. */
const ends: ReadonlyMap<number, number> = new Map([
	[1, 22],
	[2, 22],
	[3, 23],
	[4, 24],
	[7, 27],
	[9, 29],
	...firstColours.flatMap(first => eight.map((shade): [number, number] => [first + shade, 39])),
	...firstBackgrounds.flatMap(first => eight.map((shade): [number, number] => [first + shade, 49])),
]);
const allEnds = new Set(ends.values());
