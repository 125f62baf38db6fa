import {type CommandContext} from './command.ts';
import {connectGateway} from './connect-gateway.ts';
import {type StoredTokens} from '../mcp/mcp-remove.ts';
import {type ServeOwn} from '../mcp/mcp-serve.ts';
import {createCliRuntime, createRuntime, type Session} from './session.ts';
import {type OpenCore} from '../mcp/tool-access.ts';

/** The tool servers in this process, when no gateway runs. */
export const openTools = (session: Session) => async (options: Parameters<OpenCore>[0]) => {
	const {openToolAccess} = await import('../../gateway/access/tool-access.ts');
	return openToolAccess(createCliRuntime(session), options);
};

/** Logins of the profile: those of the running gateway, or of this process when none runs (docs/configuration.md, State directory). */
export const openLogins = (context: CommandContext, session: Session) => async () => {
	const client = await connectGateway(context);
	if (client) {
		const {openGatewayLogins} = await import('../mcp/gateway-logins.ts');
		const {variables} = session.environment;
		return openGatewayLogins(client, {variables, signal: context.signal}).catch((error: unknown) => {
			client.close();
			throw error;
		});
	}

	const {openLoginAccess} = await import('../../gateway/access/login-access.ts');
	return openLoginAccess(createCliRuntime(session));
};

/** The tokens of a server that is removed. */
export const openTokens = (session: Session) => async (): Promise<StoredTokens> => {
	const {forgetTokens, openTokenStore} = await import('../../oauth/tokens/token-store.ts');
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
		const {serveOwnTools: serve} = await import('../../gateway/access/tool-access.ts');
		return serve(createCliRuntime(session), streams, options);
	};

/** The stored events in this process, when no gateway runs. */
export const openEvents = (session: Session) => async () => {
	const {openEventAccess} = await import('../../gateway/access/event-access.ts');
	return openEventAccess(createCliRuntime(session));
};

/** The remembered approvals in this process, when no gateway runs. */
export const openRules = (session: Session) => async () => {
	const {openRuleAccess} = await import('../../gateway/access/rule-access.ts');
	return openRuleAccess(createRuntime(session));
};

/** The cron jobs in this process, when no gateway runs. */
export const openCron = (session: Session) => async () => {
	const {openCronAccess} = await import('../../gateway/access/cron-access.ts');
	return openCronAccess(createCliRuntime(session));
};

/** The profile of this start, to look at it or to change it. */
export const configSessionOf = (session: Session) => async () => {
	const {loadConfigSession} = await import('../mcp/config-session.ts');
	return loadConfigSession(session);
};

/** The routes of the state directory. */
export const openRoutes = (session: Session) => async () => {
	const {loadRoutes} = await import('../webhook/route-registry.ts');
	return loadRoutes(session);
};
