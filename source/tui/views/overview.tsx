import {Box} from 'ink';
import {type JSX} from 'react';
import {FirstRunPane} from './first-run-pane.tsx';
import {NotedList, noteLines} from './picked-note.tsx';
import {keyNames} from '../state/key-names.ts';
import {isFirstRun} from '../state/first-run.ts';
import {layoutName} from '../text/layout.ts';
import {ListPane, Pane} from '../components/pane.tsx';
import {type Screen} from '../state/screen.ts';
import {waitingRows} from '../input/waiting-items.ts';
import {isUnderWay} from '../lists/login-rows.ts';
import {viewRows} from '../lists/view-rows.ts';
import {views} from '../lists/view-table.ts';
import {own} from '../text/own-glyphs.ts';
import {type Line, span} from '../text/span.ts';
import {listPosition} from '../state/selection.ts';

type OverviewProps = {readonly screen: Screen; readonly height: number};

/** In one column the servers take at most this many rows and a title. */
const cappedRows = 9;
/** The rows that the note of a server may take, and those that are left for the events. */
const longestNote = 4;
const eventRows = 6;

/** View 1: the servers, and beside or below them the events, what is waiting and what is under way. */
export function Overview({screen, height}: OverviewProps): JSX.Element {
	const {columns} = screen.size;
	const layout = layoutName(screen.size);
	if (isFirstRun(screen.snapshot)) {
		return <FirstRunPane screen={screen} height={height} />;
	}

	if (layout === 'narrow') {
		return <NotedList screen={screen} view="servers" height={height} />;
	}

	const servers = Math.min(cappedRows, Math.max(3, screen.snapshot.servers.length)) + 1;
	const top = layout === 'double' ? Math.ceil(height / 2) : servers + notedRows(screen, {servers, height});
	return (
		<Box flexDirection="column" height={height} flexShrink={0}>
			{layout === 'double' ? (
				<UpperHalf screen={screen} height={top} />
			) : (
				<NotedList screen={screen} view="servers" height={top} />
			)}
			<ListPane screen={screen} view="events" width={columns} height={height - top} />
		</Box>
	);
}

/** The rows that the note of the picked server takes from the events. */
function notedRows(screen: Screen, {servers, height}: {readonly servers: number; readonly height: number}): number {
	const room = Math.min(longestNote, Math.max(0, height - servers - eventRows));
	return noteLines(screen, 'servers', screen.snapshot.servers.length + 1 + room).length;
}

function UpperHalf({screen, height}: OverviewProps): JSX.Element {
	const {columns} = screen.size;
	const left = Math.floor((columns - 1) / 2);
	const list = Math.min(height - 6, screen.snapshot.servers.length + 1);
	const {rows, index} = listPosition(screen.ui, 'servers', screen.snapshot);
	const selected = rows[index];
	return (
		<Box height={height} flexShrink={0}>
			<Box flexDirection="column" width={left}>
				<ListPane screen={screen} view="servers" width={left} height={list} />
				<Pane
					title={selected ? `server ${selected.fields().server ?? ''}` : 'server'}
					active={false}
					lines={selected?.detail(left, screen.now, keyNames(screen)) ?? []}
					width={left}
					height={height - list}
				/>
			</Box>
			<Box width={1} />
			<RightHalf screen={screen} width={columns - left - 1} height={height} />
		</Box>
	);
}

/** What is waiting for a person: what is in view 2, then the rest; below it the calls and logins under way, if any. */
function RightHalf({screen, width, height}: OverviewProps & {readonly width: number}): JSX.Element {
	const {calls, logins} = screen.snapshot;
	const counts = [
		{view: 'calls', count: calls.length},
		{view: 'logins', count: logins.filter(isUnderWay).length},
	] as const;
	const below = counts
		.filter(({count}) => count > 0)
		.map(({view, count}) => ({view, rows: Math.min(count + 1, Math.floor(height / 4))}));
	const lines = alsoWaiting(screen, width);
	const also = lines.length === 0 ? 0 : Math.min(lines.length + 1, Math.floor(height / 3));
	const used = below.reduce((sum, {rows}) => sum + rows, also);
	return (
		<Box flexDirection="column" width={width} height={height} flexShrink={0}>
			<ListPane screen={screen} view="approvals" width={width} height={height - used} />
			{also > 0 ? (
				<Pane title={own`Also waiting · ${lines.length}`} active={false} lines={lines} width={width} height={also} />
			) : null}
			{below.map(({view, rows}) => (
				<ListPane key={view} screen={screen} view={view} width={width} height={rows} />
			))}
		</Box>
	);
}

/** The rows that need a person and stand in other lists than the approvals: logins, inbox items, failed deliveries. */
function alsoWaiting(screen: Screen, width: number): readonly Line[] {
	const {snapshot, now} = screen;
	const keys = keyNames(screen);
	return waitingRows(snapshot)
		.filter(({view}) => view !== 'approvals')
		.flatMap(({view, id}): Line[] => {
			const row = viewRows(view, snapshot, '').find(one => one.id === id);
			return row ? [[span(`  ${views[view].digit ?? ' '} `, 'accent'), ...row.line(width - 4, now, keys)]] : [];
		});
}
