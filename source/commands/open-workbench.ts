import {separateSecrets} from '../config/entry-secrets.ts';
import {openProfileChange} from '../config/profile-change.ts';
import {openTalkingGround} from './ground.ts';
import {knownServer} from './known-server.ts';
import {type Session} from './session.ts';
import {type Workbench} from './workbench.ts';

/** Reads the profile of this start; its warnings go to stderr, unless the ground is another one. Rejects with the first problem of a configuration that cannot be used. */
export async function openWorkbench(session: Session, ground = openTalkingGround(session)): Promise<Workbench> {
	const {layFoundation, refuseUnusable} = await import('../gateway/foundation.ts');
	const foundation = await layFoundation(ground);
	refuseUnusable(foundation);
	const {config, secrets} = foundation.current();
	return {
		config,
		variable: secrets.variables,
		expand: foundation.expand,
		findServer: typed => knownServer(typed, config),
		openChange: () => openProfileChange(foundation.paths),
		separateSecrets: ({name, entry}, change) =>
			separateSecrets(name, entry, variable => change.variable(variable) ?? secrets.variables(variable)),
		async probeServer(server, signal) {
			const {probeServer} = await import('../gateway/probe-server.ts');
			return probeServer(foundation, {server, expand: foundation.expand, signal});
		},
		async probe(server, signal) {
			const {probeEntry} = await import('./probe-entry.ts');
			return probeEntry(foundation, server, signal);
		},
	};
}
