import {Box} from 'ink';
import {type JSX} from 'react';
import {ListPane} from '../components/pane.tsx';
import {isUnderWay} from '../lists/login-rows.ts';
import {isFirstRun} from '../state/first-run.ts';
import {type Screen} from '../state/screen.ts';
import {layoutName} from '../text/layout.ts';
import {LinesText} from '../text/line-text.tsx';
import {type Line} from '../text/span.ts';
import {FirstRunPane} from './first-run-pane.tsx';
import {limitsLine, needsLines, partsLine, sectionLines, sectionRows} from './overview-lines.ts';
import {noteLines, SelectedPane} from './picked-note.tsx';

type OverviewProps = {readonly screen: Screen; readonly height: number};

/** Rows, with the title, that a section of the rest needs to be shown. */
const leastRows = 4;
/** Bounds on the rows of requests: so many have room for four and a count of the others. */
const leastNeeds = 5;
const maxNeeds = 8;
/** Bounds on the note and on the details of the picked row. */
const maxNote = 4;
const maxSelected = 12;

/** View 1: what needs a person, the routes and servers, and below them what else there is room for: what is under way, the picked row, the events. */
export function Overview({screen, height}: OverviewProps): JSX.Element {
	const {size, snapshot} = screen;
	const layout = layoutName(size);
	if (isFirstRun(snapshot) || layout === 'none') {
		return <FirstRunPane screen={screen} height={height} />;
	}

	const isNarrow = layout === 'narrow';
	const needs = isNarrow ? [] : needsLines(screen, Math.max(leastNeeds, Math.min(maxNeeds, Math.floor(height / 3))));
	const parts: readonly Line[] = isNarrow
		? []
		: [...partsLine(snapshot, size.columns), ...limitsLine(snapshot, size.columns)];
	const room = height - needs.length - parts.length;
	const wanted = sectionRows(screen);
	const note = noteLines(screen, 'overview', Math.min(room, wanted + maxNote));
	const lists = sectionLines(screen, Math.min(wanted, room - note.length));
	const lines = [...needs, ...lists, ...note, ...parts];
	const rest = height - lines.length;
	return (
		<Box flexDirection="column" height={height} flexShrink={0}>
			<LinesText lines={lines} width={size.columns} height={Math.min(height, lines.length)} />
			{rest > 0 ? <Rest screen={screen} height={rest} /> : null}
		</Box>
	);
}

/** The part below the lists: calls and logins under way and the picked row if there is much room, then the events. */
function Rest({screen, height}: OverviewProps): JSX.Element {
	const {size, snapshot} = screen;
	const {calls, logins} = snapshot;
	const layout = layoutName(size);
	const isRoomy = layout === 'double' || layout === 'column';
	const counts = [
		{view: 'calls', count: calls.length},
		{view: 'logins', count: logins.filter(isUnderWay).length},
	] as const;
	const under = counts
		.filter(({count}) => isRoomy && count > 0 && height >= 2 * leastRows)
		.map(({view, count}) => ({view, rows: Math.min(count + 1, Math.floor(height / 4))}));
	const left = under.reduce((sum, {rows}) => sum - rows, height);
	const selected = layout === 'double' && left >= 3 * leastRows ? Math.min(maxSelected, Math.floor(left / 2)) : 0;
	const events = left - selected;
	return (
		<Box flexDirection="column" height={height} flexShrink={0}>
			{under.map(({view, rows}) => (
				<ListPane key={view} screen={screen} view={view} width={size.columns} height={rows} />
			))}
			{selected > 0 ? <SelectedPane screen={screen} view="overview" height={selected} /> : null}
			{events >= leastRows ? (
				<ListPane screen={screen} view="events" width={size.columns} height={events} />
			) : (
				<LinesText lines={[]} width={size.columns} height={events} />
			)}
		</Box>
	);
}
