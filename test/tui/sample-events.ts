import {type GatewayEvent, type GatewayEventBody} from '../../source/state/event.ts';
import {reduceAll} from '../../source/state/reduce.ts';
import {emptySnapshot, type Snapshot} from '../../source/state/snapshot.ts';
import {type RowSubject, type TraceSubject} from '../../source/state/trace.ts';
import {type RuleRow} from '../../source/state/view-event.ts';

/** When everything in these samples happens. */
export const sampleTime = 1_700_000_000_000;
const nothingHidden = {cutBytes: 0, maskedValues: 0, markedCharacters: 0};

/** Stamps bodies in order, from `firstSeq` on. */
export function stamp(bodies: readonly GatewayEventBody[], firstSeq = 1): GatewayEvent[] {
	return bodies.map((body, index) => ({seq: firstSeq + index, time: sampleTime, profile: 'default', ...body}));
}

/** The snapshot after these events. */
export function snapshotOf(bodies: readonly GatewayEventBody[]): Snapshot {
	return reduceAll(emptySnapshot, stamp(bodies));
}

export function started(change: Partial<Extract<GatewayEventBody, {type: 'gateway.started'}>> = {}): GatewayEventBody {
	return {
		type: 'gateway.started',
		version: '0.1.0',
		pid: 7,
		webhookUrl: null,
		configured: {servers: 1, routes: 1},
		demo: false,
		...change,
	};
}

export function server(
	name: string,
	change: Partial<Extract<GatewayEventBody, {type: 'server.state'}>> = {},
): GatewayEventBody {
	return {
		type: 'server.state',
		server: name,
		state: 'connected',
		tools: 3,
		transport: 'stdio',
		trust: 'full',
		address: 'node server.js',
		...change,
	};
}

export function approval(
	id: string,
	change: Partial<Extract<GatewayEventBody, {type: 'approval.requested'}>> = {},
): GatewayEventBody {
	const shown = change.arguments ?? {repo: 'acme/app', title: 'Broken'};
	return {
		type: 'approval.requested',
		id,
		kind: 'tool-call',
		server: 'github',
		tool: 'create_issue',
		registeredName: 'mcp__github__create_issue',
		trust: 'untrusted',
		transport: 'http',
		address: 'https://mcp.example.com/mcp',
		hints: {},
		description: 'Creates an issue.',
		arguments: shown,
		sentBytes: Buffer.byteLength(JSON.stringify(shown)),
		...nothingHidden,
		argumentsHash: `hash-of-${id}`,
		origin: {kind: 'demo', client: 'robot'},
		requestedAt: sampleTime,
		expiresAt: sampleTime + 300_000,
		...change,
	};
}

export function settled(
	id: string,
	change: Partial<Extract<GatewayEventBody, {type: 'approval.settled'}>> = {},
): GatewayEventBody {
	return {
		type: 'approval.settled',
		id,
		server: 'github',
		tool: 'create_issue',
		outcome: 'approved',
		scope: 'once',
		by: 'console:1',
		...change,
	};
}

export function webhook(
	route: string,
	change: Partial<Extract<GatewayEventBody, {type: 'webhook.settled'}>> = {},
): GatewayEventBody {
	return {
		type: 'webhook.settled',
		eventId: 'e1',
		route,
		event: 'push',
		deliveryId: 'd1',
		status: 202,
		outcome: 'accepted',
		ms: 4,
		...change,
	};
}

export function run(
	runId: string,
	change: Partial<Extract<GatewayEventBody, {type: 'run.state'}>> = {},
): GatewayEventBody {
	return {type: 'run.state', runId, state: 'queued', route: 'push', event: 'push', deliveryId: 'd1', ...change};
}

export function log(text: string, change: Partial<Extract<GatewayEventBody, {type: 'log'}>> = {}): GatewayEventBody {
	return {type: 'log', level: 'info', area: 'mcp', text, ...change};
}

type Body<Type extends GatewayEventBody['type']> = Extract<GatewayEventBody, {type: Type}>;

export function login(name: string, change: Partial<Body<'login.state'>> = {}): GatewayEventBody {
	return {
		type: 'login.state',
		server: name,
		state: 'awaiting-device',
		flow: 'device',
		verificationUri: 'https://auth.example.com/device',
		userCode: 'WDJB-MJHT',
		expiresAt: sampleTime + 900_000,
		polls: 3,
		nextPollAt: sampleTime + 5000,
		...change,
	};
}

export function question(id: string, change: Partial<Body<'question.asked'>> = {}): GatewayEventBody {
	return {
		type: 'question.asked',
		id,
		kind: 'elicitation',
		asker: 'github',
		message: 'Which repository?',
		fields: [{name: 'repo', title: 'Repository', description: '', need: 'required', kind: 'text'}],
		origin: {kind: 'demo', client: 'robot'},
		requestedAt: sampleTime,
		expiresAt: sampleTime + 300_000,
		...change,
	};
}

export function proposal(id: string, change: Partial<Body<'proposal.asked'>> = {}): GatewayEventBody {
	return {
		type: 'proposal.asked',
		id,
		name: 'tracker',
		nameState: 'free',
		entryLines: ['command: npx', 'args:', '  - -y', '  - tracker-server'],
		commandLines: ['npx', '-y', 'tracker-server'],
		warnings: [],
		requestedAt: sampleTime,
		...change,
	};
}

export function uncertain(callId: string, change: Partial<Body<'call.uncertain'>> = {}): GatewayEventBody {
	return {
		type: 'call.uncertain',
		callId,
		server: 'github',
		tool: 'merge',
		registeredName: 'mcp__github__merge',
		arguments: {number: 7},
		origin: {kind: 'demo', client: 'robot'},
		at: sampleTime,
		reason: 'the connection was lost',
		...change,
	};
}

export function call(callId: string, change: Partial<Body<'tool.started'>> = {}): GatewayEventBody {
	return {
		type: 'tool.started',
		callId,
		server: 'github',
		tool: 'search',
		registeredName: 'mcp__github__search',
		origin: {kind: 'demo', client: 'robot'},
		...change,
	};
}

export function finished(callId: string, change: Partial<Body<'tool.finished'>> = {}): GatewayEventBody {
	return {
		type: 'tool.finished',
		callId,
		server: 'github',
		tool: 'create_issue',
		origin: {kind: 'endpoint', client: 'editor'},
		ms: 38,
		outcome: 'ok',
		...change,
	};
}

export function tool(name: string, change: Partial<Body<'view.tools'>['tools'][number]> = {}) {
	return {
		name: `mcp__github__${name}`,
		server: 'github',
		tool: name,
		title: '',
		description: 'Does something.',
		inputSchema: {type: 'object', properties: {text: {type: 'string'}}, required: ['text']},
		hints: {},
		trust: 'untrusted',
		approval: 'ask',
		state: 'registered',
		...change,
	} satisfies Body<'view.tools'>['tools'][number];
}

export function tools(...rows: ReadonlyArray<ReturnType<typeof tool>>): GatewayEventBody {
	return {type: 'view.tools', tools: rows};
}

export function job(id: string, change: Partial<Body<'cron.job'>> = {}): GatewayEventBody {
	return {
		type: 'cron.job',
		kind: 'cron',
		id,
		name: `job-${id}`,
		schedule: 'every 5m',
		state: 'scheduled',
		nextRunAt: sampleTime + 60_000,
		deliver: 'log',
		...change,
	};
}

export function route(name: string, change: Partial<Body<'route.state'>> = {}): GatewayEventBody {
	return {
		type: 'route.state',
		route: name,
		servedBy: 'default',
		source: 'config',
		state: 'served',
		url: `http://127.0.0.1:8644/webhooks/${name}`,
		deliver: 'log',
		events: [],
		...change,
	};
}

/** Failed deliveries of a route. */
export function failing(name: string, change: Partial<Body<'delivery.failing'>> = {}): GatewayEventBody {
	return {
		type: 'delivery.failing',
		id: `failing-${name}`,
		route: name,
		target: 'telegram',
		failures: 1,
		firstAt: sampleTime,
		lastAt: sampleTime,
		reason: 'status 403: bot was kicked',
		eventId: 'e1',
		...change,
	};
}

/** The same, from another profile. */
export function inProfile(profile: string, body: GatewayEventBody): GatewayEventBody {
	return Object.assign({}, body, {profile});
}

/** That everything is held, by a command. */
export function held(changes: {readonly reason?: string; readonly waiting?: number} = {}): GatewayEventBody {
	const {reason = 'it deletes things', waiting = 0} = changes;
	return {type: 'hold.state', held: {since: sampleTime, by: 'cli', reason, hash: 'h'}, waiting};
}

/** A remembered approval. */
export function rule(id: string, change: Partial<RuleRow> = {}): RuleRow {
	const about = {server: 'github', tool: 'merge', words: 'allows github/merge with any arguments'};
	const lasting = {scope: 'always', state: 'valid', createdAt: sampleTime, uses: 0} as const;
	return {id, source: 'stored', action: 'allow', ...about, ...lasting, ...change};
}

/** The answer to a window that asked for the rules. */
export function rules(...rows: readonly RuleRow[]): Body<'view.rules'> {
	return {type: 'view.rules', rules: rows, keptDays: 30};
}

/** The answer to a window that asked for a trace: one line, which opens a row. */
export function traced(subject: TraceSubject, opens: RowSubject): Body<'view.trace'> {
	const status = {of: 'call', is: 'ok'} as const;
	const line = {id: 'line', at: sampleTime, status, subject: 'files/read', facts: ['5 ms'], opens};
	const times = {readAt: sampleTime + 1, startedAt: sampleTime, shares: []};
	return {type: 'view.trace', subject, title: ['r1'], lines: [line], ...times, part: {number: 1, of: 1}};
}
