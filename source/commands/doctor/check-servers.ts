import {type ServerConfig} from '../../config/servers/server-entry.ts';
import {type ControlClient} from '../../control/client.ts';
import {checkNetwork} from './doctor-network.ts';
import {
	collisionFindings,
	filterFindings,
	referenceFindings,
	type ServerCheck,
	statusFinding,
} from './doctor-servers.ts';
import {type Finding} from './finding.ts';
import {createRuntime} from '../cli/create-runtime.ts';
import {probeFacts} from '../mcp/probe-text.ts';
import {type Session} from '../cli/session.ts';

type CheckOptions = {
	readonly session: Session;
	/** The running gateway, whose servers are asked about; without one each server is connected for a look. */
	readonly client: ControlClient | undefined;
	/** `files`: nothing is connected to. */
	readonly reach: 'network' | 'files';
	readonly servers: readonly ServerConfig[];
	readonly variable: (name: string) => string | undefined;
	readonly expand: (text: string) => string;
	readonly signal: AbortSignal;
};

/** Every configured server: its references, its filters, its name in the network, its client document, how it stands, and names that collide. */
export async function checkServers(options: CheckOptions): Promise<readonly Finding[]> {
	const standings = await checksOf(options);
	const each = await Promise.all(
		options.servers.map(async server => {
			const status = standings.find(({name}) => name === server.name);
			const network = options.reach === 'network' && server.enabled ? await probeServer(server, options) : [];
			return [
				...(status ? [statusFinding(status)] : []),
				...network,
				...referenceFindings(server, options.variable),
				...filterFindings(server, status?.tools),
			];
		}),
	);
	return [...each.flat(), ...collisionFindings(standings)];
}

async function probeServer(server: ServerConfig, {session, expand, signal}: CheckOptions): Promise<readonly Finding[]> {
	const {checkClientDocument} = await import('./doctor-login.ts');
	const surroundings = {clock: session.clock, home: session.environment.home, expand, signal};
	const looks = [checkNetwork(server, surroundings), checkClientDocument(server, surroundings)];
	return (await Promise.all(looks)).flat();
}

async function checksOf(options: CheckOptions): Promise<readonly ServerCheck[]> {
	if (options.client) {
		return checksOfGateway(options.client, options.signal);
	}

	return options.reach === 'network' ? probeAll(options) : [];
}

async function checksOfGateway(client: ControlClient, signal: AbortSignal): Promise<readonly ServerCheck[]> {
	const servers = await client.call('mcp.list', {}, {signal});
	return servers.map(({name, state, reason, next_action: nextAction, ...row}) => {
		const facts = probeFacts({...row, era: row.era ?? undefined, latencyMs: row.latency_ms ?? undefined});
		// Its tools went through the filters already: what was left out, or lost its name, is not among them.
		return {name, state, reason, nextAction, facts};
	});
}

async function probeAll({session, servers, signal}: CheckOptions): Promise<readonly ServerCheck[]> {
	const {loadConfigSession} = await import('../mcp/load-config-session.ts');
	const {probeServer} = await loadConfigSession(session, createRuntime(session));
	return Promise.all(
		servers.map(async server => {
			if (!server.enabled) {
				return {name: server.name, state: 'disabled', reason: null, nextAction: null, facts: ''};
			}

			const {state, reason = null, nextAction = null, ...report} = await probeServer(server, signal);
			const tools = report.tools.map(tool => tool.name);
			const facts = probeFacts({...report, tools: tools.length});
			return {name: server.name, state, reason, nextAction, facts, ...(state === 'connected' && {tools})};
		}),
	);
}
