import {type Snapshot} from '../../state/snapshot.ts';
import {callListRow} from './call-rows.ts';
import {jobListRow} from './job-rows.ts';
import {type ListRow} from './list-row.ts';
import {partRows} from './part-rows.ts';
import {routeListRow} from './route-rows.ts';

/** The rows of what stands or goes on: jobs, routes, calls under way, parts of the gateway. */
export function statusRows(view: 'jobs' | 'routes' | 'calls' | 'parts', snapshot: Snapshot): readonly ListRow[] {
	switch (view) {
		case 'jobs':
			return snapshot.jobs.map(jobListRow);
		case 'routes':
			return snapshot.routes.map(routeListRow);
		case 'calls':
			return snapshot.calls.map(callListRow);
		case 'parts':
			return partRows(snapshot);
	}
}
