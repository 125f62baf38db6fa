import {type Snapshot} from '../../state/snapshot.ts';
import {eventPageLines} from './page-lines.ts';
import {type Line, span} from '../text/span.ts';
import {type ViewName} from '../lists/view-table.ts';
import {viewRows} from '../lists/view-rows.ts';

/** All that is known about a row, as lines. `now` is for ages in it. */
export function rowText(
	id: string,
	at: {readonly view: ViewName; readonly snapshot: Snapshot; readonly width: number; readonly now: number},
): readonly Line[] {
	const {view, snapshot, width, now} = at;
	const row = viewRows(view, snapshot, '').find(candidate => candidate.id === id);
	const more = view === 'events' ? eventPageLines(id, snapshot, width) : [];
	return row ? [...row.detail(width, now), ...more] : [[span(' this row is no longer kept', 'dim')]];
}
