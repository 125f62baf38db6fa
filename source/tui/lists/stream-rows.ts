import {type Snapshot} from '../../state/snapshot.ts';
import {eventListRow} from './event-rows.ts';
import {type ListRow, rememberList} from './list-row.ts';
import {logListRow} from './log-rows.ts';
import {runListRow} from './run-rows.ts';

const eventListRows = rememberList(eventListRow);
const logListRows = rememberList(logListRow);
const runListRows = rememberList(runListRow);

/** The rows of what arrives: events and log with the newest last, runs with the newest first. */
export function streamRows(view: 'events' | 'log' | 'runs', snapshot: Snapshot): readonly ListRow[] {
	switch (view) {
		case 'events':
			return eventListRows(snapshot.events);
		case 'log':
			return logListRows(snapshot.log);
		case 'runs':
			return runListRows(snapshot.runs).toReversed();
	}
}
