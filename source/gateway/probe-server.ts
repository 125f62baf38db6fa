import {type ServerConfig} from '../config/servers/server-entry.ts';
import {type ServerCapabilities, type ToolDefinition} from '../mcp/connection.ts';
import {createConnections} from '../mcp/connections.ts';
import {type ServerState} from '../state/event.ts';
import {loginRequired} from '../oauth/protocol/login-required.ts';
import {openTokenStore, type TokenStore} from '../oauth/tokens/token-store.ts';
import {openDeadline} from '../util/clock.ts';
import {shellWord} from '../util/named-commands.ts';
import {Problem} from '../util/problem.ts';
import {type ProfileContext} from './profiles/profile-context.ts';
import {serverLogin} from './services/login-service.ts';
import {listMilliseconds} from './services/wanted-servers.ts';

/** The result of a connection to a server. Texts of tools come from the server and are not yet safe to show. */
export type ProbeReport = Pick<
	ServerState,
	| 'state'
	| 'login'
	| 'reason'
	| 'nextActions'
	| 'transport'
	| 'era'
	| 'protocolVersion'
	| 'latencyMs'
	| 'address'
	| 'stderr'
	| 'log'
> & {
	readonly tools: readonly ToolDefinition[];
};

/**
Connects one server for a look, in one attempt, and lets it go again: nothing is registered, cached or written but the log of its stderr.
The caller answers for starting it: a person typed or confirmed its entry.
*/
export async function probeServer(
	context: Pick<ProfileContext, 'clock' | 'paths' | 'environment' | 'redactor' | 'version'>,
	request: {
		readonly server: ServerConfig;
		readonly expand: (text: string) => string;
		readonly signal: AbortSignal;
		/** Default: until it has connected or failed. */
		readonly patience?: 'of a list';
		/** `as they are`: an access token that has expired or is refused is not renewed, so that nothing is written. Default: renewed. */
		readonly tokens?: 'as they are';
	},
): Promise<ProbeReport> {
	const {clock, paths, environment, redactor, version} = context;
	const {server, expand, signal} = request;
	const tokens = openTokenStore({directory: paths.tokens, clock, learn: redactor.learnPassing});
	const store = request.tokens === 'as they are' ? unchanged(tokens) : tokens;
	let offer: ServerCapabilities | undefined;
	let last: ServerState | undefined;
	const connections = createConnections({
		clock,
		expand,
		version,
		environment: environment.variables,
		serverLogDirectory: paths.serverLogs,
		redact: redactor.redact,
		learn: redactor.learn,
		loginOf: config => serverLogin(config, {clock, environment, expand, store, onChallenge: () => undefined}),
		schemaCache: {find: () => undefined, keep: async () => undefined},
		count: () => ({tools: offer?.tools.length ?? 0}),
		onCapabilities: (_, found) => void (offer = found ?? offer),
		attempts: 'one',
		publish(event) {
			if (event.type === 'server.state') {
				last = event;
			}
		},
	});
	connections.apply([{...server, enabled: true, start: 'eager'}]);
	const deadline =
		request.patience && openDeadline(clock, listMilliseconds, {signal, reason: () => new Problem('connect_timeout')});
	await connections.settled(deadline?.signal ?? signal);
	deadline?.cancel();
	const state = last;
	await connections.stop();
	await store.over();
	signal.throwIfAborted();
	return {...reportOf(state, server.name), tools: offer?.tools ?? []};
}

/** The store without its changes: what would write tokens ends as a server that needs a login. */
function unchanged(store: TokenStore): TokenStore {
	return {
		...store,
		async update(server) {
			throw loginRequired(server, 'its access token was refused, and nothing is renewed here');
		},
		markDocument: async () => undefined,
	};
}

function reportOf(state: ServerState | undefined, server: string): Omit<ProbeReport, 'tools'> {
	if (!state) {
		return {state: 'failed', reason: 'It did not report a state', transport: 'stdio', address: ''};
	}

	if (state.state === 'waiting') {
		// Nothing goes on trying.
		return {...state, state: 'failed'};
	}

	if (state.state !== 'connecting') {
		return state;
	}

	return {
		...state,
		state: 'failed',
		reason: `It did not answer within ${listMilliseconds / 1000} seconds`,
		nextActions: [{kind: 'text', text: `\`sluice mcp test ${shellWord(server)}\` waits longer`}],
	};
}
