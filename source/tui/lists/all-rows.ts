import {type Snapshot} from '../../state/snapshot.ts';
import {listViewRows} from './list-view-rows.ts';
import {type ListRow} from './list-row.ts';
import {serverListRow} from './server-rows.ts';
import {statusRows} from './status-rows.ts';
import {streamRows} from './stream-rows.ts';
import {type ViewName} from '../state/view-names.ts';
import {waitingRows} from './waiting-rows.ts';

/** All rows of a view, before its filter. */
export function allRows(view: ViewName, snapshot: Snapshot): readonly ListRow[] {
	switch (view) {
		case 'servers':
			return snapshot.servers.map(serverListRow);
		case 'approvals':
			return waitingRows(snapshot);
		case 'events':
		case 'log':
		case 'runs':
			return streamRows(view, snapshot);
		case 'jobs':
		case 'routes':
		case 'calls':
		case 'parts':
			return statusRows(view, snapshot);
		case 'logins':
		case 'tools':
		case 'rules':
			return listViewRows(view, snapshot);
	}
}
