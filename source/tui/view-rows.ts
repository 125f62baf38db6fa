import {type Snapshot} from '../state/snapshot.ts';
import {approvalListRow, decisionListRow} from './approval-rows.ts';
import {eventListRow} from './event-rows.ts';
import {parseFilter} from './filter.ts';
import {type ListRow} from './list-row.ts';
import {logListRow} from './log-rows.ts';
import {runListRow} from './run-rows.ts';
import {serverListRow} from './server-rows.ts';

/** The numbered views, in the order of their digits. */
export const viewNames = ['servers', 'approvals', 'events', 'log', 'runs'] as const;

export type ViewName = (typeof viewNames)[number];

/** Views whose newest row is the last one and which follow it until a person moves. */
export function follows(view: ViewName): boolean {
	return view === 'events' || view === 'log';
}

/** The rows of a view that pass its filter. Asking again for the same source and filter costs nothing. */
export function viewRows(view: ViewName, snapshot: Snapshot, filter: string): readonly ListRow[] {
	const sources = sourcesOf(view, snapshot);
	const known = remembered.get(view);
	if (known && known.filter === filter && known.sources.every((source, index) => source === sources[index])) {
		return known.rows;
	}

	const rows = allRows(view, snapshot);
	const passes = parseFilter(filter);
	const kept = filter.trim() === '' ? rows : rows.filter(row => passes(row.fields()));
	remembered.set(view, {sources, filter, rows: kept});
	return kept;
}

type Remembered = {
	readonly sources: ReadonlyArray<readonly object[]>;
	readonly filter: string;
	readonly rows: readonly ListRow[];
};

/** The last answer per view. A pure function's memory: it changes the price, never the answer. */
const remembered = new Map<ViewName, Remembered>();

function sourcesOf(view: ViewName, snapshot: Snapshot): ReadonlyArray<readonly object[]> {
	return view === 'approvals' ? [snapshot.approvals, snapshot.decisions] : [snapshot[view]];
}

function allRows(view: ViewName, snapshot: Snapshot): readonly ListRow[] {
	switch (view) {
		case 'servers':
			return snapshot.servers.map(serverListRow);
		case 'approvals':
			return [...snapshot.approvals.map(approvalListRow), ...snapshot.decisions.map(decisionListRow).reverse()];
		case 'events':
			return snapshot.events.map(eventListRow);
		case 'log':
			return snapshot.log.map(logListRow);
		case 'runs':
			return snapshot.runs.map(runListRow).reverse();
	}
}
