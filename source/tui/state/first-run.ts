import {type Snapshot} from '../../state/snapshot.ts';

/** True if there is nothing to show yet: no server, no route, no demo, and no file that could not be read. */
export function isFirstRun(snapshot: Snapshot): boolean {
	const {gateway, config, servers} = snapshot;
	return (
		gateway.phase === 'running' &&
		gateway.configured.servers === 0 &&
		gateway.configured.routes === 0 &&
		!gateway.demo &&
		config.state !== 'unusable' &&
		servers.length === 0
	);
}
