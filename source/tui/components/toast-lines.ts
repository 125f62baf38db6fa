import {oneLine} from '../lists/log-rows.ts';
import {viewLabel} from '../lists/view-table.ts';
import {type Mode} from '../state/mode.ts';
import {type UiState} from '../state/ui-state.ts';
import {isLow, pageRows} from '../text/layout.ts';
import {uiText} from '../../util/characters/ui-glyphs.ts';
import {type Line, span} from '../text/span.ts';
import {cutToWidth, splitAtWidth, wrapToWidth} from '../text/text-width.ts';

/** The cells before a line: a margin, and a status glyph or the animated glyph of what is under way. */
export const marginCells = 1;
export const statusCells = 2;
export const spinnerCells = 4;

type Shown = Pick<UiState, 'size' | 'mode' | 'toast'>;

/** The notification in lines: all of it where it fits into the rows that it may take, otherwise with a hint that the log has the rest. */
export function toastLines(shown: Shown): readonly Line[] {
	const {size, toast} = shown;
	if (!toast) {
		return [];
	}

	const {text, tone, awaited} = toast;
	const width = size.columns - marginCells - (awaited ? spinnerCells : statusCells);
	const limit = maxRows(shown);
	const words = oneLine(text.replaceAll('\n', ' '));
	const lines = wrapToWidth(words, width);
	if (lines.length <= limit) {
		return lines.map((line): Line => [span(line, tone)]);
	}

	if (limit === 1) {
		return [[span(cutToWidth(words, width), tone)]];
	}

	const more = uiText`… more in ${viewLabel('log')}`;
	const [start = ''] = splitAtWidth(lines[limit - 1] ?? '', width - more.length);
	const last = [span(start, tone), span(more, 'dim')];
	return [...lines.slice(0, limit - 1).map((line): Line => [span(line, tone)]), last];
}

/**
Bound on its rows. A low screen has none to spare: the row of the keys and one more, or a single one while the person is asked or something is under
way.
*/
function maxRows(shown: Shown): number {
	return isLow(shown.size) ? (coversKeys(shown) ? 2 : 1) : 3;
}

/** True if it replaces the keys in the last line. */
export function coversKeys({size, mode, toast}: Shown): boolean {
	return toast !== undefined && !toast.awaited && isLow(size) && readModes.has(mode.kind);
}

/** Modes in which the last line has only keys for reading. */
const readModes: ReadonlySet<Mode['kind']> = new Set([
	'browse',
	'detail',
	'page',
	'trace',
	'faults',
	'settled',
	'edit',
	'command',
	'manual-call',
]);

/** Number of rows of an open text that are certainly on the screen: a page without the rows of a notification that are not reserved for it. */
export function readableRows(shown: Shown): number {
	const covered = isLow(shown.size) ? 0 : Math.max(0, toastLines(shown).length - 1);
	return Math.max(1, pageRows(shown.size) - covered);
}
