import {referencesIn} from '../../config/secrets/variables.ts';
import {type ServerConfig} from '../../config/servers/server-entry.ts';
import {type ControlClient} from '../../control/client.ts';
import {registeredName} from '../../tools/registered-tool.ts';
import {fnmatch} from '../../util/fnmatch.ts';
import {createRuntime, type Session} from '../cli/session.ts';
import {probeFacts} from '../mcp/probe-text.ts';
import {checkNetwork} from './doctor-network.ts';
import {type Finding, fine, trouble} from './finding.ts';

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

/** How a server stands: as the running gateway says, or as it answered just now. */
export type ServerCheck = {
	readonly name: string;
	readonly state: string;
	readonly reason: string | null;
	readonly nextAction: string | null;
	/** How the stderr of a server that does not run ends, and the file with all of it. */
	readonly stderr?: readonly string[];
	readonly log?: string | null;
	/** `http, legacy protocol, 34 ms, 14 tools`. */
	readonly facts: string;
	/** Its own names of its tools; undefined when nobody asked for them. */
	readonly tools?: readonly string[];
};

/** Every configured server: its references, its filters, its name in the network, its client document, how it stands, and names that collide. */
export async function checkServers(options: CheckOptions): Promise<readonly Finding[]> {
	const checks = await checksOf(options);
	const each = await Promise.all(
		options.servers.map(async server => {
			const status = checks.find(({name}) => name === server.name);
			const network = options.reach === 'network' && server.enabled ? await probeServer(server, options) : [];
			return [
				...(status ? [statusFinding(status)] : []),
				...network,
				...referenceFindings(server, options.variable),
				...filterFindings(server, status?.tools),
			];
		}),
	);
	return [...each.flat(), ...collisionFindings(checks)];
}

async function probeServer(server: ServerConfig, {session, expand, signal}: CheckOptions): Promise<readonly Finding[]> {
	const {checkClientDocument} = await import('./doctor-network.ts');
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
		return {name, state, reason, nextAction, facts, stderr: row.stderr, log: row.log};
	});
}

async function probeAll({session, servers, signal}: CheckOptions): Promise<readonly ServerCheck[]> {
	const {loadConfigSession} = await import('../mcp/config-session.ts');
	const {probeServer} = await loadConfigSession(session, createRuntime(session));
	return Promise.all(
		servers.map(async server => {
			if (!server.enabled) {
				return {name: server.name, state: 'disabled', reason: null, nextAction: null, facts: ''};
			}

			const {state, reason = null, nextAction = null, ...report} = await probeServer(server, signal);
			const tools = report.tools.map(tool => tool.name);
			const facts = probeFacts({...report, tools: tools.length});
			const {stderr = [], log = null} = report;
			return {name: server.name, state, reason, nextAction, stderr, log, facts, ...(state === 'connected' && {tools})};
		}),
	);
}

/** Lines of stderr in a finding. */
const doctorLines = 4;

/** How a server stands, as a finding. */
export function statusFinding({name, state, reason, nextAction, facts, stderr = [], log}: ServerCheck): Finding {
	const check = `server ${name}`;
	if (state === 'connected' || state === 'lazy' || state === 'disabled') {
		return fine(check, state === 'connected' ? `It answers: ${facts}` : state);
	}

	const level = state === 'connecting' || state === 'needs-login' ? 'warning' : 'error';
	return trouble(check, level, {
		message: [reason ?? state, ...stderr.slice(-doctorLines)].join(' │ '),
		remedy: [nextAction ?? 'Check its log in logs/mcp-stderr', ...(log ? [`its log: ${log}`] : [])].join('; '),
	});
}

/** Variables that the entry of a server refers to or passes on and that are not set. */
export function referenceFindings(
	{name, transport}: ServerConfig,
	variable: (name: string) => string | undefined,
): readonly Finding[] {
	const passed = transport.kind === 'stdio' ? (transport.passEnv ?? []) : [];
	const uses = [
		...referencesIn(transport).map(reference => ({reference, how: `It uses \${${reference}}`})),
		...passed.map(reference => ({reference, how: `\`pass_env\` has ${reference}`})),
	];
	return uses
		.filter(({reference}) => variable(reference) === undefined)
		.map(({reference, how}) =>
			trouble(`server ${name}`, 'warning', {
				message: `${how}, which is not set`,
				remedy: `Add ${reference}=… to .env`,
			}),
		);
}

/** Tools that are both included and excluded, and names in `include` that the server does not have. */
export function filterFindings({name, tools: policy}: ServerConfig, tools?: readonly string[]): readonly Finding[] {
	const {include = [], exclude} = policy;
	const check = `server ${name}`;
	const named = tools ?? [...include, ...exclude].filter(isExact);
	const both = [...new Set(named)].filter(tool => matchesAny(tool, include) && matchesAny(tool, exclude));
	const missing = tools ? include.filter(pattern => !tools.some(tool => fnmatch(tool, pattern))) : [];
	return [
		...(both.length === 0
			? []
			: [
					trouble(check, 'warning', {
						message: `\`include\` and \`exclude\` both name ${both.slice(0, 5).join(', ')}; include wins, so they are registered`,
						remedy: 'Remove them from one of the two lists',
					}),
				]),
		...missing.map(pattern =>
			trouble(check, 'warning', {
				message: `\`include\` has ${pattern}, but the server has no such tool`,
				remedy: 'Check the name with `sluice mcp test`; use the name from the server, without the prefix',
			}),
		),
	];
}

/** Tools of different servers that end in one registered name. */
export function collisionFindings(checks: readonly ServerCheck[]): readonly Finding[] {
	const owners = new Map<string, readonly string[]>();
	for (const {name, tools = []} of checks) {
		for (const tool of tools) {
			const registered = registeredName(name, tool);
			owners.set(registered, [...(owners.get(registered) ?? []), `${name}/${tool}`]);
		}
	}

	return [...owners]
		.filter(([, tools]) => tools.length > 1)
		.map(([registered, tools]) =>
			trouble('tools', 'warning', {
				message: `${tools.join(' and ')} have the same name, ${registered}; the first one keeps it`,
				remedy: 'Rename one of the servers, or exclude one of the tools',
			}),
		);
}

function matchesAny(tool: string, patterns: readonly string[]): boolean {
	return patterns.some(pattern => fnmatch(tool, pattern));
}

function isExact(pattern: string): boolean {
	return !/[*?[]/u.test(pattern);
}
