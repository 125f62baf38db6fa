import {type GatewayEvent} from '../event.ts';
import {serverCommands, unnamedStep} from '../next-action.ts';
import {type ServerRow} from '../snapshot.ts';
import {because} from '../status-line.ts';
import {minutesText, timeOfDay, tookText} from '../time-text.ts';
import {isServerInTrouble} from '../waiting.ts';
import {type Entity, type Fields, nextActionText} from './entity.ts';
import {type JsonRow} from './json-kind.ts';
import {serverText} from './status-text.ts';
import {tableOf} from './table.ts';

/** A tool server, and its calls in words. */
type ShownServer = ServerRow & {readonly calls: (now: number) => string};

/** The properties of a tool server. */
export const serverFields = {
	name: {json: 'text', title: 'SERVER', filter: 'server', text: ({server}) => server},
	profile: {json: 'text', text: ({profile}) => profile},
	transport: {
		json: ['stdio', 'http', 'sse'],
		text: ({transport}) => transport,
		detail: ({transport, protocolVersion}) => [transport, protocolText(protocolVersion)].filter(Boolean).join(', '),
	},
	state: {
		json: ['disabled', 'lazy', 'connecting', 'connected', 'needs-login', 'waiting', 'failed', 'stopped'],
		text: ({state}) => state,
	},
	reason: {json: 'text?', text: ({reason = ''}) => reason},
	next_action: {json: 'text?', label: 'next', detail: (server, {keys}) => nextActionText(server, keys)},
	/** The number of registered tools. */
	tools: {json: 'count', detail: ({tools}) => String(tools)},
	/** The tokens that the definitions of its registered tools cost a model, by `tokenizer`; null: not counted, or it has none. */
	tokens: {
		json: 'count?',
		label: 'tool list',
		detail: ({tokens}) => (tokens === undefined ? '' : `${tokensText(tokens)} for a model, by ${tokenizer}`),
	},
	/** The part of them that each client of the endpoint is offered. */
	tokens_by_client: {json: 'object'},
	tokenizer: {json: 'text'},
	trust: {
		json: ['full', 'untrusted'],
		text: ({trust}) => trust,
		detail: ({trust}) => (trust === 'untrusted' ? 'untrusted: every tool that is not read-only asks first' : trust),
	},
	era: {json: ['legacy', 'stateless', null]},
	protocol_version: {json: 'text?'},
	/** The round trip of the handshake. */
	latency_ms: {
		json: 'ms?',
		label: 'handshake',
		detail: ({latencyMs}) => (latencyMs === undefined ? '' : tookText(latencyMs)),
	},
	/** The end of the stderr of a stdio server that does not run as it should, and the file with all of it. */
	stderr: {json: 'texts', detail: ({stderr = []}) => stderr},
	log: {json: 'text?', detail: ({log}) => log},
	/** Names of the variables in its `env_file`, as the last start read them. */
	file_variables: {json: 'texts'},
	retry: {
		label: 'retry in',
		detail: ({retryAt}, {now}) => (retryAt === undefined ? '' : minutesText(retryAt - now)),
	},
	address: {detail: ({address}) => address},
	calls: {detail: ({calls}, {now}) => calls(now)},
} as const satisfies Fields<ShownServer>;

/** A tool server; the dashboard draws its line in the overview. */
export const serverEntity: Entity<ShownServer, keyof typeof serverFields> = {
	fields: serverFields,
	id: serverId,
	copy: ({address}) => address,
	status: ({state}) => serverText[state],
	statusLine: {label: 'state', more: ({changedAt}) => ({text: ` since ${timeOfDay(changedAt)}`, tone: 'dim'})},
	filter: ['name', 'state', 'transport', 'trust', 'reason', 'profile'],
	details: [
		'reason',
		'next_action',
		'retry',
		'stderr',
		'log',
		'address',
		'transport',
		'tools',
		'tokens',
		'trust',
		'calls',
		'latency_ms',
		'profile',
	],
	columns: [],
	values: ({server}) => ({name: server}),
	isTrouble: isServerInTrouble,
};

/** `sluice mcp list`; servers of several profiles may share a name. */
export const serverTable = (profiles: 'one' | 'several', reason: (server: JsonRow<typeof serverFields>) => string) =>
	tableOf(serverFields, [
		...(profiles === 'several' ? (['profile'] as const) : []),
		'name',
		'state',
		'tools',
		'tokens',
		'trust',
		'transport',
		{title: 'REASON', cell: reason},
	]);

/** The tokenizer that counts definitions of tools; models of other families count a little more or less. */
export const tokenizer = 'o200k_base of gpt-tokenizer';

/** `1 token`, `4,321 tokens`. */
export function tokensText(tokens: number): string {
	return tokens === 1 ? '1 token' : `${tokens.toLocaleString('en-US')} tokens`;
}

/** Servers of two profiles may share a name. */
export function serverId(server: {readonly profile: string; readonly server: string}): string {
	return `${server.profile}/${server.server}`;
}

/** `1 tool`, `2 tools`. */
export function toolsText({tools}: Pick<ServerRow, 'tools'>): string {
	return tools === 1 ? '1 tool' : `${tools} tools`;
}

/** The state of a server as a line of the log; `home` is the state directory that commands in it name. */
export function serverLogText(event: Extract<GatewayEvent, {type: 'server.state'}>, home: string | undefined): string {
	const {reason, nextAction} = serverCommands(event, home);
	const tools = event.state === 'connected' ? `, ${toolsText(event)}` : '';
	const next = unnamedStep(nextAction, reason);
	return `${event.server} ${event.state}${because(reason)}${tools}${next === undefined ? '' : ` (${next})`}`;
}

/** The revision of MCP that a server speaks, in words. */
export function protocolText(version: string | null | undefined): string {
	return version ? `MCP ${version}` : '';
}
