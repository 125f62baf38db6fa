import {type Snapshot} from '../state/snapshot.ts';

/** Whether there is nothing to show yet: no server, no route, no demo. */
export function isFirstRun(snapshot: Snapshot): boolean {
	const {gateway, servers} = snapshot;
	return (
		gateway.phase === 'running' &&
		gateway.configured.servers === 0 &&
		gateway.configured.routes === 0 &&
		!gateway.demo &&
		servers.length === 0
	);
}
