import {type KeyNames} from '../../state/entities/entity.ts';
import {type Snapshot} from '../../state/snapshot.ts';
import {timeOfDay} from '../../state/time-text.ts';
import {countRows} from '../lists/folds.ts';
import {type ListRow} from '../lists/list-row.ts';
import {sortingText} from '../lists/sorting.ts';
import {viewRows} from '../lists/view-rows.ts';
import {follows, viewLabel, type ViewName, views} from '../lists/view-table.ts';
import {columnRoot} from '../state/mode.ts';
import {keyNames} from '../state/key-names.ts';
import {markedRows} from '../state/marks.ts';
import {hasProfiles} from '../state/profiles.ts';
import {listPosition, type ListPosition} from '../state/selection.ts';
import {type Screen} from '../state/screen.ts';
import {missingListText, type UiState} from '../state/ui-state.ts';
import {uiText} from '../../util/characters/ui-glyphs.ts';
import {markRow} from '../text/drawn-rows.ts';
import {cell, type Line, pickedLine, ruleLine, span} from '../text/span.ts';
import {glyphs} from '../../state/entities/status-text.ts';

type ListLinesOptions = {
	readonly width: number;
	readonly height: number;
	readonly now: number;
	readonly keys: KeyNames;
	/** True if the selected row carries the cursor. */
	readonly active: boolean;
	/** Where the keys are: `elsewhere` while the page beside the list is read, and the row has no more than its sign. */
	readonly place?: 'here' | 'elsewhere';
	/** True if a row is marked; absent for lists without marks. */
	readonly isMarked?: (id: string) => boolean;
	/** The title of the group of a row; empty for none. Absent for lists without groups. */
	readonly groupTitle?: ((row: ListRow) => string) | undefined;
	/** The width of the profile column; zero while there is only one profile. */
	readonly profileCells: number;
};

/** Where the keys are on a screen of lists. */
export function keysPlace({mode}: Pick<UiState, 'mode'>): NonNullable<ListLinesOptions['place']> {
	return columnRoot(mode) ? 'elsewhere' : 'here';
}

/** The visible rows of a list, around the selected one; the last line counts the hidden ones. */
export function listLines(position: ListPosition, options: ListLinesOptions): Line[] {
	const {height, active, groupTitle} = options;
	const {rows, index, following} = groupTitle ? withGroupLines(position, groupTitle) : position;
	const top = firstShown({rows, index, following}, height);
	const end = Math.min(rows.length, top + height);
	const open = rows.findIndex(({fold}) => fold?.state === 'open');
	const lastOpen = open + (rows[open]?.fold?.rows.length ?? 0);
	const shown = rows.slice(top, end).map((row, offset) => {
		const at = top + offset;
		const isSelected = active && at === index;
		const above = offset === 0 ? undefined : rows[at - 1];
		return rowLine(row, {isSelected, above, isInFold: open !== -1 && at > open && at <= lastOpen}, options);
	});
	const hidden = countRows(rows.slice(end).filter(({id}) => id !== ''));
	return hidden > 0 && !following && height > 1
		? [...shown.slice(0, -1), moreLine(hidden + countRows(rows.slice(end - 1, end).filter(({id}) => id !== '')))]
		: shown;
}

/** The rows as they are drawn, with a line above those of each group. It cannot be picked. */
function withGroupLines({rows, index, following}: ListPosition, groupTitle: (row: ListRow) => string): ListPosition {
	let last = '';
	let added = 0;
	const drawnRows = rows.flatMap((row, at) => {
		const title = groupTitle(row);
		const isFirst = title !== last && title !== '';
		last = title;
		added += isFirst && at <= index ? 1 : 0;
		return isFirst ? [titleRow(title), row] : [row];
	});
	return {rows: drawnRows, index: index + added, following};
}

function titleRow(title: string): ListRow {
	return {
		id: '',
		isTimeless: true,
		fields: () => ({}),
		line: width => ruleLine(title, width),
		detail: () => [],
	};
}

const drawn = new WeakMap<ListRow, {readonly key: string; readonly line: Line}>();

/** A row with the cursor and its mark, or blanks. Rows that do not depend on the time are drawn once. */
function rowLine(
	row: ListRow,
	{
		isSelected,
		isInFold,
		above,
	}: {readonly isSelected: boolean; readonly isInFold: boolean; readonly above: ListRow | undefined},
	{width, now, profileCells, keys, isMarked, place}: ListLinesOptions,
): Line {
	const mark = isMarked?.(row.id) ? '*' : isInFold ? glyphs.gutter : ' ';
	const key = `${isSelected} ${place} ${mark} ${width} ${profileCells} ${keys.offers}`;
	const known = drawn.get(row);
	if (known?.key === key) {
		return known.line;
	}

	const profile = profileCells === 0 ? [] : [cell(row.fields()['profile'] ?? '', profileCells, 'dim')];
	const drawnRow = [
		span(`${isSelected ? '>' : ' '}${mark}`, 'accent'),
		...profile,
		...((above && row.lineBelow?.(above, width - 2 - profileCells, now)) ??
			row.line(width - 2 - profileCells, now, keys)),
	];
	const line = isSelected && place !== 'elsewhere' ? pickedLine(drawnRow, width) : drawnRow;
	markRow(line, row.id);
	if (row.isTimeless) {
		drawn.set(row, {key, line});
	}

	return line;
}

/** The index of the first visible row: the newest rows are visible while following, otherwise the selected row is in the middle. */
function firstShown({rows, index, following}: ListPosition, height: number): number {
	const last = Math.max(0, rows.length - height);
	return following ? last : Math.min(last, Math.max(0, index - Math.floor((height - 1) / 2)));
}

function moreLine(count: number): Line {
	return [span(`    ${count} more ${glyphs.more}`, 'dim')];
}

/** The title of a view: its key and name, whether it follows, how it is sorted, and how many rows match its filter. */
export function viewTitle(view: ViewName, ui: UiState, snapshot: Snapshot): string {
	const {console} = snapshot;
	const filter = ui.filters[view] ?? '';
	const all = views[view].count?.(snapshot) ?? countWaiting(viewRows(view, snapshot, ''));
	const total = all >= (views[view].limit ?? Infinity) ? `newest ${all}` : `${all}`;
	const {rows, index, following} = listPosition(ui, view, snapshot);
	const newer = countRows(rows.slice(index + 1));
	const marked = view === 'you' ? markedRows(ui, snapshot) : [];
	const hidden = marked.filter(id => !rows.some(row => row.id === id)).length;
	return [
		viewLabel(view),
		hasProfiles(snapshot) ? (views[view].profile?.(snapshot) ?? '') : '',
		console.state === 'lost' ? `as it was at ${timeOfDay(console.since).slice(0, 5)}` : '',
		follows(view, ui.sort) && console.state !== 'lost'
			? following
				? 'following'
				: `paused${newer > 0 ? `, ${newer} newer ${glyphs.more}` : ''}`
			: '',
		sortingText(ui.sort[view]),
		filter === '' ? total : `filter: ${filter} (${countWaiting(viewRows(view, snapshot, filter))} of ${total})`,
		marked.length === 0 ? '' : `${marked.length} marked${hidden > 0 ? `, ${hidden} not shown` : ''}`,
	]
		.filter(part => part !== '')
		.join(uiText` · `);
}

/** Number of rows that are not past. */
function countWaiting(rows: readonly ListRow[]): number {
	return rows.filter(({isPast}) => !isPast).length;
}

/** The text of an empty list, and the key that fills it. */
export function emptyText(
	view: ViewName,
	{ui, snapshot, readOnly}: Pick<Screen, 'ui' | 'snapshot' | 'readOnly'>,
): string {
	const {empty: written, offer, method} = views[view];
	const empty =
		typeof written === 'string'
			? written
			: written(snapshot, missingListText(ui, method), ui.view === view ? 'view' : 'section');
	const key = offer && keyNames({readOnly, snapshot}).named(offer.action, offer.words);
	const offered = key ? uiText`${empty} · press ${key}` : empty;
	return (ui.filters[view] ?? '') === '' ? offered : uiText`nothing matches · press Esc to clear`;
}
