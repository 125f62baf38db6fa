import {separateSecrets} from '../../config/secrets/entry-secrets.ts';
import {createProfileChange} from '../../config/edit/profile-change.ts';
import {createCliRuntime} from '../cli/create-runtime.ts';
import {knownServer} from './known-server.ts';
import {type Session} from '../cli/session.ts';
import {type ConfigSession} from './config-session.ts';

/** Reads the profile of this start; its warnings go to stderr, unless the runtime is another one. Rejects with the first problem of a configuration that cannot be used. */
export async function loadConfigSession(session: Session, runtime = createCliRuntime(session)): Promise<ConfigSession> {
	const {loadProfile, refuseUnusable} = await import('../../gateway/profiles/profile-context.ts');
	const context = await loadProfile(runtime);
	refuseUnusable(context);
	const {config, secrets} = context.current();
	return {
		config,
		variable: secrets.variables,
		expand: context.expand,
		findServer: typed => knownServer(typed, config),
		openChange: () => createProfileChange(context.paths),
		separateSecrets: ({name, entry}, change) =>
			separateSecrets(name, entry, variable => change.variable(variable) ?? secrets.variables(variable)),
		async probeServer(server, signal) {
			const {probeServer} = await import('../../gateway/probe-server.ts');
			return probeServer(context, {server, expand: context.expand, signal, patience: 'of a list'});
		},
		async probe(server, signal) {
			const {probeEntry} = await import('./probe-entry.ts');
			return probeEntry(context, server, signal);
		},
	};
}
