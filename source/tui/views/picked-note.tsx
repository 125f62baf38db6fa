import {type JSX} from 'react';
import {Box} from 'ink';
import {ListPane, Pane} from '../components/pane.tsx';
import {waitingRows} from '../input/waiting-items.ts';
import {type ListRow} from '../lists/list-row.ts';
import {follows, type ViewName} from '../lists/view-table.ts';
import {keyNames} from '../state/key-names.ts';
import {type Screen} from '../state/screen.ts';
import {listPosition} from '../state/selection.ts';
import {type LayoutName, layoutName} from '../text/layout.ts';
import {LinesText} from '../text/line-text.tsx';
import {uiText} from '../../util/characters/ui-glyphs.ts';
import {type Line, ruleLine} from '../text/span.ts';

type NotedListProps = {readonly screen: Screen; readonly view: ViewName; readonly height: number};

/** A list, and below it why its picked row needs a person and what to do, where a row is too short for that. */
export function NotedList({screen, view, height}: NotedListProps): JSX.Element {
	const {columns} = screen.size;
	const note = noteLines(screen, view, height);
	return (
		<Box flexDirection="column" height={height} flexShrink={0}>
			<ListPane screen={screen} view={view} width={columns} height={height - note.length} />
			<LinesText lines={note} width={columns} height={note.length} />
		</Box>
	);
}

/** The details of the picked row of a view. */
export function SelectedPane({screen, view, height}: NotedListProps): JSX.Element {
	const {ui, snapshot, size, now} = screen;
	const {rows, index} = listPosition(ui, view, snapshot);
	return (
		<Pane
			title={uiText`selected · enter opens it in full`}
			active={false}
			lines={rows[index]?.detail(size.columns, now, keyNames(screen)) ?? []}
			width={size.columns}
			height={height}
		/>
	);
}

/** The layouts in which the details of the picked row are shown anyway. */
const hasDetails: ReadonlySet<LayoutName> = new Set<LayoutName>(['double', 'column']);

/** Rows of a list beside a note of a row that needs a person: kept, with the title; given up for the note; needed by the note. */
const listRows = 4;
const givenRows = 4;
const leastRows = 2;

/** The note in the rows that the list leaves free, or that it gives up for a row that needs a person. */
export function noteLines(screen: Screen, view: ViewName, height: number): readonly Line[] {
	const {ui, snapshot, size, now} = screen;
	const {rows, index} = listPosition(ui, view, snapshot);
	const row = rows[index];
	if (!row || ui.view !== view || follows(view, ui.sort) || hasDetails.has(layoutName(size))) {
		return [];
	}

	const needsPerson = isNeedy(row, screen);
	if (!needsPerson && layoutName(size) !== 'narrow') {
		return [];
	}

	const free = height - 1 - rows.length;
	const room = Math.max(free, needsPerson ? Math.min(givenRows, height - listRows) : 0);
	const lines = detailOf(row, screen, now);
	return room < leastRows || lines.length === 0 ? [] : [ruleLine('', size.columns), ...lines].slice(0, room);
}

function isNeedy({id, fields}: ListRow, {snapshot}: Screen): boolean {
	return (fields()['reason'] ?? '') !== '' || waitingRows(snapshot).some(waiting => waiting.id === id);
}

/** The details up to the first blank line, without the state, which the row has said. */
function detailOf(row: ListRow, screen: Screen, now: number): readonly Line[] {
	const lines = row.detail(screen.size.columns, now, keyNames(screen)).slice(1);
	const blank = lines.findIndex(line => line.length === 0);
	return blank === -1 ? lines : lines.slice(0, blank);
}
