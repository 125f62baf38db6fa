import {type Toast, type UiState} from '../state/ui-state.ts';
import {pageRows} from '../text/layout.ts';
import {own} from '../text/own-glyphs.ts';
import {type Line, span} from '../text/span.ts';
import {wrapToWidth} from '../text/text-width.ts';

/** The cells that the animated glyph before a line takes. */
export const spinnerCells = 4;

/** How many rows a toast may take. */
const longestRows = 3;

/** A toast in lines: all of it if it fits into three rows, otherwise with a hint that the log has the rest. */
export function toastLines({text, tone}: Toast, width: number): readonly Line[] {
	const lines = wrapToWidth(text.replaceAll('\n', ' '), width - 2 - spinnerCells);
	const shown = lines.slice(0, longestRows);
	return shown.map(
		(line, index): Line =>
			index === longestRows - 1 && lines.length > longestRows
				? [span(line.slice(0, width - 24), tone), span(own`… more in 4 Log`, 'dim')]
				: [span(line, tone)],
	);
}

/** How many rows of an open text are certainly on the screen: a page, less what a long toast covers of it. */
export function readableRows({size, toast}: Pick<UiState, 'size' | 'toast'>): number {
	const covered = toast ? toastLines(toast, size.columns).length - 1 : 0;
	return Math.max(1, pageRows(size) - covered);
}
