import {type OpenRules} from '../approvals/approval-rules.ts';
import {type ReadSources} from '../approvals/rehearse-rules.ts';
import {type OpenHold} from '../gateway/hold.ts';
import {type GrantConsole} from '../journal/grant-console.ts';
import {type OpenMove} from '../journal/journal-move.ts';
import {type OpenEvents} from '../events/event-access.ts';
import {type RouteNames} from '../events/events.ts';
import {type OpenRuns} from '../runs/run-access.ts';
import {type OpenTools} from '../mcp/tool-access.ts';
import {type OpenRoutes} from '../webhook/route-registry.ts';
import {createCliRuntime, createRuntime, type Session} from './session.ts';

/*
What commands open in their own process when no gateway runs. Each is loaded when it is opened: a command that finds a gateway, and every
other command, starts without it.
*/

/** The tool servers. */
export function ownTools(session: Session): OpenTools {
	return async options => {
		const {openToolAccess} = await import('../../gateway/access/tool-access.ts');
		return openToolAccess(createCliRuntime(session), options);
	};
}

/** Rejects with `unknown_server` for a name that no configured server has. */
export function findServerOf(session: Session): (name: string) => Promise<string> {
	return async name => {
		const {loadConfigSession} = await import('../mcp/config-session.ts');
		return (await loadConfigSession(session)).findServer(name);
	};
}

/** The stored events. */
export function ownEvents(session: Session): OpenEvents {
	return async () => {
		const {openEventAccess} = await import('../../gateway/access/event-access.ts');
		return openEventAccess(createCliRuntime(session), session.flags.profile);
	};
}

/** The stored runs and calls. */
export function ownRuns(session: Session): OpenRuns {
	return async () => {
		const {openRunAccess} = await import('../../gateway/access/run-access.ts');
		return openRunAccess(createCliRuntime(session), session.flags.profile);
	};
}

/** The remembered approvals. */
export function ownRules(session: Session): OpenRules {
	return async () => {
		const {openRuleAccess} = await import('../../gateway/access/rule-access.ts');
		return openRuleAccess(createRuntime(session));
	};
}

/** What rules are rehearsed with: those of the files, and the stored calls. */
export function ownRehearsal(session: Session): ReadSources {
	return async () => {
		const {readRehearsalSources} = await import('../../gateway/access/rehearsal-access.ts');
		return readRehearsalSources(createCliRuntime(session));
	};
}

/** The hold of the next start. */
export function ownHold(session: Session): OpenHold {
	return async () => {
		const {openHoldAccess} = await import('../../gateway/access/hold-access.ts');
		return openHoldAccess(createRuntime(session));
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

/** The journal and the database that it is moved into. */
export function ownMove(session: Session): OpenMove {
	return async () => {
		const {openJournalMove} = await import('../../gateway/access/journal-database.ts');
		return openJournalMove(createCliRuntime(session));
	};
}

/** The database of the journal, for the rights of a console. */
export function ownGrantConsole(session: Session): GrantConsole {
	return async (role, signal) => {
		const {grantConsoleRole} = await import('../../gateway/access/journal-database.ts');
		return grantConsoleRole(createCliRuntime(session), role, signal);
	};
}
