import {type ServerConfig} from '../config/server-entry.ts';
import {type ServerOffer, type ToolDefinition} from '../mcp/connection.ts';
import {createConnections} from '../mcp/connections.ts';
import {type ServerState} from '../state/event.ts';
import {openTokenStore} from '../oauth/token-store.ts';
import {type Foundation} from './foundation.ts';
import {serverLogin} from './server-login.ts';

/** How a server answered. Texts of tools are those of the server: not yet safe to show. */
export type ProbeReport = Pick<
	ServerState,
	'state' | 'reason' | 'nextAction' | 'transport' | 'era' | 'latencyMs' | 'address'
> & {
	readonly tools: readonly ToolDefinition[];
};

/**
Connects one server for a look and lets it go again: nothing is registered, cached or written but the log of its stderr.
Waits through the retries of a first connect. The caller answers for starting it: a person typed or confirmed its entry.
*/
export async function probeServer(
	foundation: Pick<Foundation, 'clock' | 'paths' | 'environment' | 'redactor' | 'version'>,
	request: {
		readonly server: ServerConfig;
		readonly expand: (text: string) => string;
		readonly signal: AbortSignal;
	},
): Promise<ProbeReport> {
	const {clock, paths, environment, redactor, version} = foundation;
	const {server, expand, signal} = request;
	const store = openTokenStore({directory: paths.tokens, clock, learn: redactor.learnPassing});
	let offer: ServerOffer | undefined;
	let last: ServerState | undefined;
	const connections = createConnections({
		clock,
		expand,
		version,
		environment: environment.variables,
		serverLogDirectory: paths.serverLogs,
		clean: redactor.clean,
		loginOf: config => serverLogin(config, {clock, environment, expand, store, onChallenge: () => undefined}),
		schemaCache: {find: () => undefined, keep: () => undefined},
		standing: () => ({tools: offer?.tools.length ?? 0}),
		onOffer: (_, found) => void (offer = found ?? offer),
		publish(event) {
			if (event.type === 'server.state') {
				last = event;
			}
		},
	});
	connections.apply([{...server, enabled: true, start: 'eager'}]);
	await connections.settled(signal);
	const state = last;
	await connections.stop();
	await store.over();
	signal.throwIfAborted();
	return {...reportOf(state), tools: offer?.tools ?? []};
}

function reportOf(state: ServerState | undefined): Omit<ProbeReport, 'tools'> {
	return state ?? {state: 'failed', reason: 'It told nothing', transport: 'stdio', address: ''};
}
