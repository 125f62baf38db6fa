import {openGround, openTalkingGround} from './ground.ts';
import {type KeptTokens} from './mcp-remove.ts';
import {type ServeOwn} from './mcp-serve.ts';
import {type Session} from './session.ts';

/** The tool servers in this process, when no gateway runs. */
export const openTools = (session: Session) => async (options: {readonly signal: AbortSignal}) => {
	const {openToolAccess} = await import('../gateway/open-tool-access.ts');
	return openToolAccess(openTalkingGround(session), options);
};

/** Logins of the profile, at this terminal. */
export const openLogins = (session: Session) => async () => {
	const {openLoginAccess} = await import('../gateway/open-login-access.ts');
	return openLoginAccess(openTalkingGround(session));
};

/** The tokens of a server that is removed. */
export const openTokens = (session: Session) => async (): Promise<KeptTokens> => {
	const {openTokenStore} = await import('../oauth/token-store.ts');
	const {forgetTokens} = await import('../oauth/forget-tokens.ts');
	const {paths, clock} = session;
	const store = openTokenStore({directory: paths.tokens, clock, learn: () => undefined});
	return {
		has: async server => (await store.read(server)) !== undefined,
		forget: async server => ((await forgetTokens(store, server)) ? 'forgotten' : 'none'),
	};
};

/** Serves the tools of this process to one client, when no gateway runs. */
export const serveOwnTools =
	(session: Session) =>
	async (...[streams, options]: Parameters<ServeOwn>) => {
		const {serveOwnTools: serve} = await import('../gateway/serve-own-tools.ts');
		return serve(openTalkingGround(session), streams, options);
	};

/** The stored events in this process, when no gateway runs. */
export const openEvents = (session: Session) => async () => {
	const {openEventAccess} = await import('../gateway/open-event-access.ts');
	return openEventAccess(openTalkingGround(session));
};

/** The remembered approvals in this process, when no gateway runs. */
export const openRules = (session: Session) => async () => {
	const {openRuleAccess} = await import('../gateway/open-rules.ts');
	return openRuleAccess(openGround(session));
};

/** The cron jobs in this process, when no gateway runs. */
export const openCron = (session: Session) => async () => {
	const {openCronAccess} = await import('../gateway/open-cron-access.ts');
	return openCronAccess(openTalkingGround(session));
};

/** The profile of this start, to look at it or to change it. */
export const openBench = (session: Session) => async () => {
	const {openWorkbench} = await import('./open-workbench.ts');
	return openWorkbench(session);
};

/** The routes of the state directory. */
export const openBook = (session: Session) => async () => {
	const {openRouteBook} = await import('./open-route-book.ts');
	return openRouteBook(session);
};
