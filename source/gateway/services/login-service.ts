import {type LoginFlow} from '../../config/servers/oauth-entry.ts';
import {type ServerConfig} from '../../config/servers/server-entry.ts';
import {type ServerLogin} from '../../mcp/transport/authorized-fetch.ts';
import {type Challenge} from '../../oauth/discovery/challenge.ts';
import {type LoginRequest, type LoginTools} from '../../oauth/login-request.ts';
import {type LoginTarget, toLoginTarget, toRevocationTarget} from '../../oauth/protocol/login-target.ts';
import {type LoginEnd, type Logins, type LoginStart} from '../../oauth/logins.ts';
import {createCredentials} from '../../oauth/tokens/credentials.ts';
import {type Revocation, revokeTokens} from '../../oauth/tokens/revoke.ts';
import {forgetTokens, openTokenStore, type TokenStore} from '../../oauth/tokens/token-store.ts';
import {type LoginState} from '../../state/person-event.ts';
import {loadOnce} from '../../util/lazy.ts';
import {shellWord} from '../../util/named-commands.ts';
import {errorText, Problem} from '../../util/problem.ts';
import {safeText} from '../../util/safe-text.ts';
import {type ProfileContext} from '../profiles/profile-context.ts';

/** The logins of one profile, and the tokens they left. */
export type LoginService = {
	/** Credentials for connections to a server; undefined for servers without `auth`. Throws `config_invalid`. */
	readonly loginOf: (config: ServerConfig) => ServerLogin | undefined;
	/** Rejects with `unknown_server` or `bad_usage` when there is nothing to log in to; how the login ends is no rejection. */
	readonly start: (server: string, options?: StartOptions) => Promise<LoginEnd>;
	readonly cancel: (server: string) => void;
	/** Rejects with `bad_usage` when the address is not the one that is awaited. */
	readonly finish: (server: string, redirectUrl: string) => Promise<void>;
	/** The login of a server that is under way. */
	readonly current: (server: string) => Promise<LoginState | undefined>;
	/** The servers that log in, in the order of the configuration; those that are switched off too. */
	readonly servers: () => ReadonlyArray<{readonly name: string; readonly flow: LoginFlow; readonly enabled: boolean}>;
	/** True if tokens are stored for a server. */
	readonly hasTokens: (server: string) => Promise<boolean>;
	/**
	Calls a login under way off, removes tokens, registration and marker of a server, and revokes the tokens where they were issued, as far as that is possible.
	Also of a server that is no longer configured, or without `auth: oauth`. Undefined: there were none. Rejects with `unknown_server` or `bad_usage` for a server
	that has no login and no tokens.
	*/
	readonly forget: (server: string) => Promise<Revocation | undefined>;
	/** Never rejects. */
	readonly stop: () => Promise<void>;
	/** Resolves when no tokens are being renewed, after 30 seconds at the latest. Never rejects. */
	readonly over: () => Promise<void>;
};

type StartOptions = {
	/** Absent: the configured one. */
	readonly flow?: LoginFlow | undefined;
	/** Absent: a client document that was refused before is tried again. */
	readonly document?: LoginRequest['document'];
	/** Aborts when its caller does not wait for it any more; the last one who goes calls the login off. */
	readonly signal?: AbortSignal;
	readonly opener?: LoginStart['opener'];
};

export type LoginServiceOptions = {
	/** New tokens are there. */
	readonly onLoggedIn: (server: string) => void;
	/** Check of a client document; default: fetch it. */
	readonly checkDocument?: LoginTools['checkDocument'];
};

/** The problem of a server without anything that a logout could end. */
function nothingToForget({name}: ServerConfig): Problem {
	return new Problem('bad_usage', {
		message: `The server "${safeText(name)}" has no login, and no tokens are kept for it`,
		remedy: 'Run `sluice logins list` to see which servers have one',
	});
}

/** The problem of a server that one cannot log in to as it is configured. */
function noLogin({name, transport}: ServerConfig): Problem {
	const word = shellWord(safeText(name));
	return transport.kind === 'stdio'
		? new Problem('bad_usage', {
				message: `The server "${safeText(name)}" is a local program, which needs no login`,
				remedy: `Run \`sluice mcp test ${word}\` to see whether it answers`,
			})
		: new Problem('bad_usage', {
				message: `The server "${safeText(name)}" is configured without \`auth: oauth\`, which a login needs`,
				remedy: `Run \`sluice mcp login ${word}\`, which sets that key once you agree`,
			});
}

/** Opens the login service of a profile. What a login needs is loaded with the first one. */
export function openLoginService(context: ProfileContext, options: LoginServiceOptions): LoginService {
	const {clock, publish, paths, environment, expand, current, redactor} = context;
	const store = openTokenStore({directory: paths.tokens, clock, learn: redactor.learnPassing});
	const challenges = new Map<string, Challenge>();
	const targetOf = (config: ServerConfig) => toLoginTarget(config, {expand, home: environment.home});

	const find = (server: string, without: (config: ServerConfig) => Problem): LoginTarget => {
		const config = current().config.servers.find(({name}) => name === server);
		if (!config) {
			throw new Problem('unknown_server', {message: `There is no server named "${safeText(server)}"`});
		}

		const target = targetOf(config);
		if (!target) {
			throw without(config);
		}

		return target;
	};

	const revocationOf = (server: string) => {
		const config = current().config.servers.find(({name}) => name === server);
		return toRevocationTarget({server, config}, {expand, home: environment.home});
	};

	const {checkDocument, onLoggedIn} = options;
	const tools = {clock, store, ...(checkDocument && {checkDocument})};
	const all = loadOnce(() => openLogins(context, tools));
	return {
		loginOf: config =>
			serverLogin(config, {
				...context,
				store,
				onChallenge: challenge => void challenges.set(config.name, challenge),
			}),
		async start(server, {flow, document = 'try-again', signal, opener} = {}) {
			const target = find(server, noLogin);
			const logins = await all.use();
			const challenge = challenges.get(server);
			const end = await logins.start({target, document, challenge, signal, opener, ...(flow && {flow})});
			if (end.kind === 'succeeded') {
				challenges.delete(server);
				onLoggedIn(server);
			}

			// Its words may be those of a server, which was shown the secret of the client.
			return end.kind === 'failed' ? {...end, problem: redacted(end.problem, redactor.redact)} : end;
		},
		cancel: server => void all.opened().then(logins => logins?.cancel(server)),
		async finish(server, redirectUrl) {
			(await all.opened())?.finish(server, redirectUrl);
		},
		hasTokens: async server => (await store.read(server)) !== undefined,
		current: async server => (await all.opened())?.current(server),
		servers: () =>
			current().config.servers.flatMap(({name, transport, enabled}) =>
				transport.kind !== 'stdio' && transport.oauth ? [{name, flow: transport.oauth.flow, enabled}] : [],
			),
		async forget(server) {
			const target = (await store.read(server)) ? revocationOf(server) : find(server, nothingToForget);
			(await all.opened())?.cancel(server);
			challenges.delete(server);
			const former = await forgetTokens(store, server);
			return former && revokeTokens(former, target, {clock});
		},
		async stop() {
			try {
				await (await all.opened())?.stop();
			} catch (caught) {
				// Whatever else has to end goes on ending.
				publish({type: 'log', level: 'error', area: 'login', text: safeText(`logins: ${errorText(caught)}`)});
			}
		},
		over: store.over,
	};
}

function redacted(problem: Problem, redact: (text: string) => string): Problem {
	const message = redact(problem.message);
	return message === problem.message ? problem : new Problem(problem.code, {message, cause: problem});
}

async function openLogins(
	{publish, environment}: ProfileContext,
	tools: Pick<LoginTools, 'clock' | 'store'> & Pick<LoginServiceOptions, 'checkDocument'>,
): Promise<Logins> {
	const {createLogins} = await import('../../oauth/logins.ts');
	const {checkDocument} = await import('../../oauth/discovery/client-document.ts');
	const {hasLocalDisplay, openBrowser, tunnelCommand} = await import('../../oauth/flows/open-browser.ts');
	const {variables} = environment;
	return createLogins({
		checkDocument,
		...tools,
		publish,
		tunnelCommand: redirectUri => tunnelCommand(variables, redirectUri),
		...(hasLocalDisplay(variables) && {openBrowser: (url: string) => openBrowser(url, variables)}),
	});
}

/** Credentials for connections to a server; undefined for servers without `auth`. Throws `config_invalid`. */
export function serverLogin(
	config: ServerConfig,
	options: Pick<ProfileContext, 'clock' | 'environment' | 'expand'> & {
		readonly store: TokenStore;
		/** Receives the challenge with which the server refused a request. */
		readonly onChallenge: ServerLogin['onChallenge'];
	},
): ServerLogin | undefined {
	const {clock, environment, expand, store, onChallenge} = options;
	const target = toLoginTarget(config, {expand, home: environment.home});
	return target && {server: config.name, credentials: createCredentials(target, {clock, store}), onChallenge};
}
