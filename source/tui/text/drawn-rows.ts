import {type DOMElement, measureElement} from 'ink';
import {createContext, type RefObject, useContext, useInsertionEffect, useRef} from 'react';
import {type Line} from './span.ts';

/** The blocks of lines on the screen, for clicks on rows of lists. */
export type DrawnRows = {
	readonly set: (element: RefObject<DOMElement | null>, lines: readonly Line[]) => void;
	readonly remove: (element: RefObject<DOMElement | null>) => void;
	/** The id of the row that is drawn in a cell, counted from 0. */
	readonly rowAt: (column: number, row: number) => string | undefined;
};

const rowIds = new WeakMap<Line, string>();

/** Remembers of which row a line is. */
export function markRow(line: Line, id: string): void {
	rowIds.set(line, id);
}

/** Creates the blocks of one screen. Nothing is computed before a click. */
export function createDrawnRows(): DrawnRows {
	const blocks = new Map<RefObject<DOMElement | null>, readonly Line[]>();
	return {
		set: (element, lines) => void blocks.set(element, lines),
		remove: element => void blocks.delete(element),
		rowAt(column, row) {
			for (const [element, lines] of blocks) {
				const place = element.current && measureElement(element.current);
				if (place && isWithin(column, place.x, place.width) && isWithin(row, place.y, place.height)) {
					const line = lines[row - place.y];
					return line && rowIds.get(line);
				}
			}

			return undefined;
		},
	};
}

function isWithin(value: number, start: number, length: number): boolean {
	return value >= start && value < start + length;
}

const DrawnRowsContext = createContext<DrawnRows | undefined>(undefined);

/** Provides the blocks of the screen to everything below it. */
export const DrawnRowsProvider = DrawnRowsContext.Provider;

/** Keeps the lines of a block for clicks, and returns the reference for its box. */
export function useDrawnRows(lines: readonly Line[]): RefObject<DOMElement | null> {
	const drawn = useContext(DrawnRowsContext);
	const element = useRef<DOMElement>(null);
	useInsertionEffect(() => {
		drawn?.set(element, lines);
		return () => drawn?.remove(element);
	});
	return element;
}
