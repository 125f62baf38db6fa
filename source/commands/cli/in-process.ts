import {type ReadSources} from '../approvals/rehearse-rules.ts';
import {type ReadWork} from '../service/uninstall.ts';
import {type OpenMove} from '../journal/journal-move.ts';
import {type RouteNames} from '../events/events.ts';
import {type OpenOwnApi} from './connect-gateway.ts';
import {type OpenRoutes} from '../webhook/route-registry.ts';
import {createCliRuntime, createRuntime, type Session} from './session.ts';

/*
The parts that commands open in their own process when no gateway runs. Each is loaded when opened: commands that do not need it start without it.
*/

/** The API of this process. `warnings`: about the configuration, on stderr. */
export function ownApi(session: Session, warnings: 'printed' | 'left-out' = 'printed'): OpenOwnApi {
	return async ({signal, stderr}) => {
		const {openOwnClient} = await import('../../gateway/own-client.ts');
		const runtime = warnings === 'printed' ? createCliRuntime(session) : createRuntime(session);
		const report = (text: string) => stderr(`sluice: ${text}\n`);
		return openOwnClient(runtime, {profile: session.flags.profile, signal, report});
	};
}

/** Rejects with `unknown_server` for a name that no configured server has. */
export function findServerOf(session: Session): (name: string) => Promise<string> {
	return async name => {
		const {loadConfigSession} = await import('../mcp/config-session.ts');
		return (await loadConfigSession(session)).findServer(name);
	};
}

/** The names of the configured servers. */
export function serverNamesOf(session: Session): () => Promise<readonly string[]> {
	return async () => {
		const {loadConfigSession} = await import('../mcp/config-session.ts');
		return (await loadConfigSession(session)).config.servers.map(({name}) => name);
	};
}

/** The sources of a rehearsal: rules of the files and stored calls. */
export function ownRehearsal(session: Session): ReadSources {
	return async () => {
		const {readRehearsalSources} = await import('../../gateway/stores/rehearsal-sources.ts');
		return readRehearsalSources(createCliRuntime(session));
	};
}

/** The names of all routes of the state directory. */
export function ownRouteNames(session: Session): RouteNames {
	return async () => {
		const {loadRoutes, routeNames} = await import('../webhook/route-registry.ts');
		return routeNames(await loadRoutes(session));
	};
}

/** The routes of the state directory. */
export function ownRoutes(session: Session): OpenRoutes {
	return async () => {
		const {loadRoutes} = await import('../webhook/route-registry.ts');
		return loadRoutes(session);
	};
}

/** The unfinished work in the journal. */
export function ownWork(session: Session): ReadWork {
	return async () => {
		const {readStoredWork} = await import('../../gateway/stored-work.ts');
		return readStoredWork(createRuntime(session));
	};
}

/** The journal and the database that it is moved into. */
export function ownMove(session: Session): OpenMove {
	return async () => {
		const {openJournalMove} = await import('../../gateway/journal/journal-database.ts');
		return openJournalMove(createCliRuntime(session));
	};
}
