import {type Snapshot} from '../state/snapshot.ts';
import {eventListRow} from './event-rows.ts';
import {type ListRow} from './list-row.ts';
import {logListRow} from './log-rows.ts';
import {runListRow} from './run-rows.ts';

/** The rows of what arrives: events and log with the newest last, runs with the newest first. */
export function streamRows(view: 'events' | 'log' | 'runs', snapshot: Snapshot): readonly ListRow[] {
	switch (view) {
		case 'events':
			return snapshot.events.map(eventListRow);
		case 'log':
			return snapshot.log.map(logListRow);
		case 'runs':
			return snapshot.runs.map(runListRow).reverse();
	}
}
