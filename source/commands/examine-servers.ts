import {type ServerConfig} from '../config/server-entry.ts';
import {type ControlClient} from '../control/client.ts';
import {checkNetwork} from './doctor-network.ts';
import {
	collisionFindings,
	filterFindings,
	referenceFindings,
	type ServerStanding,
	standingFinding,
} from './doctor-servers.ts';
import {type Finding} from './finding.ts';
import {openGround} from './ground.ts';
import {probeFacts} from './probe-words.ts';
import {type Session} from './session.ts';

type Look = {
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
export async function examineServers(look: Look): Promise<readonly Finding[]> {
	const standings = await standingsOf(look);
	const each = await Promise.all(
		look.servers.map(async server => {
			const standing = standings.find(({name}) => name === server.name);
			const network = look.reach === 'network' && server.enabled ? await lookOutside(server, look) : [];
			return [
				...(standing ? [standingFinding(standing)] : []),
				...network,
				...referenceFindings(server, look.variable),
				...filterFindings(server, standing?.tools),
			];
		}),
	);
	return [...each.flat(), ...collisionFindings(standings)];
}

async function lookOutside(server: ServerConfig, {session, expand, signal}: Look): Promise<readonly Finding[]> {
	const {checkClientDocument} = await import('./doctor-login.ts');
	const surroundings = {clock: session.clock, home: session.environment.home, expand, signal};
	const looks = [checkNetwork(server, surroundings), checkClientDocument(server, surroundings)];
	return (await Promise.all(looks)).flat();
}

async function standingsOf(look: Look): Promise<readonly ServerStanding[]> {
	if (look.client) {
		return standingsOfGateway(look.client, look.signal);
	}

	return look.reach === 'network' ? probeAll(look) : [];
}

async function standingsOfGateway(client: ControlClient, signal: AbortSignal): Promise<readonly ServerStanding[]> {
	const servers = await client.call('mcp.list', {}, {signal});
	return servers.map(({name, state, reason, next_action: nextAction, ...row}) => {
		const facts = probeFacts({...row, era: row.era ?? undefined, latencyMs: row.latency_ms ?? undefined});
		// Its tools went through the filters already: what was left out, or lost its name, is not among them.
		return {name, state, reason, nextAction, facts};
	});
}

async function probeAll({session, servers, signal}: Look): Promise<readonly ServerStanding[]> {
	const {openWorkbench} = await import('./open-workbench.ts');
	const {probeServer} = await openWorkbench(session, openGround(session));
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
