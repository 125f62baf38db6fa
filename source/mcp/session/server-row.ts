import {type ServerConfig} from '../../config/servers/server-entry.ts';
import {type Publish, type ServerState, type ServerStatus} from '../../state/event.ts';
import {type NextAction} from '../../state/next-action.ts';
import {type ProblemCode} from '../../util/problem-codes.ts';
import {ofServer, type Problem} from '../../util/problem.ts';
import {safeText} from '../../util/safe-text.ts';
import {serverAddress} from '../transport/server-address.ts';
import {type ConnectionState} from './connection-state.ts';
import {type TransportKind} from './session.ts';

/** The registered tools of a server. */
export type ToolCount = {
	/** The number of callable tools. */
	readonly tools: number;
	/** The tokens that their definitions cost a model; absent: not counted. */
	readonly tokens?: number;
	/** The reason that the other tools are not registered, in words. */
	readonly notice?: string;
};

/** The last output of the last process of a stdio server. */
export type ProcessOutput = {
	/** The file with all of it. */
	readonly log: string;
	/** The last lines, secrets masked and safe to show. */
	readonly stderr: readonly string[];
	/** Variables that are set for Sluice, that the process did not get, and that it may lack. */
	readonly withheld: readonly string[];
};

/** Publishes the state of one server. */
export type ServerRow = {
	readonly show: (now: {
		readonly state: ConnectionState;
		readonly transport: TransportKind;
		readonly count: ToolCount;
		readonly output: (reason: string) => ProcessOutput | undefined;
		readonly fileVariables: readonly string[];
	}) => void;
	/** Logs a line. */
	readonly warn: (text: string) => void;
};

/** Creates the row of a server; nothing is published before `show`. */
export function createServerRow(config: ServerConfig, publish: Publish): ServerRow {
	const {name: server, trust} = config;
	const address = serverAddress(config.transport);
	return {
		show({state, transport, count: {tools, tokens, notice}, output, fileVariables}) {
			const problem = problemOf(state);
			const ended = problem && processProblems.has(problem.code) ? output(problem.message) : undefined;
			const login = loginWay(config.transport, problem);
			const words = connectionText(state);
			const nextActions =
				login === 'asked-for'
					? loginOrHeaders(server)
					: connectionActions(state, {server, withheld: ended?.withheld ?? []});
			const reason = [words.reason, notice].filter(text => text !== undefined).join('; ');
			publish({
				type: 'server.state',
				server,
				...words,
				...(reason !== '' && {reason}),
				...(nextActions.length > 0 && {nextActions}),
				...(login && {login}),
				...(fileVariables.length > 0 && {
					fileVariables: fileVariables.map(name => safeText(name, {maximumCharacters: 100})),
				}),
				...(ended && {log: ended.log, ...(ended.stderr.length > 0 && {stderr: ended.stderr})}),
				tools,
				...(tokens !== undefined && {tokens}),
				transport,
				trust,
				address,
			});
		},
		warn(text) {
			publish({type: 'log', level: 'warning', area: 'mcp', text: safeText(`server ${server}: ${text}`)});
		},
	};
}

/** The login of a remote server: if a person can log in, and if the server asked for it by refusing a request without credentials. Undefined for other servers. */
function loginWay(
	transport: ServerConfig['transport'],
	problem: Problem | undefined,
): NonNullable<ServerState['login']> | undefined {
	if (transport.kind === 'stdio') {
		return undefined;
	}

	if (transport.oauth) {
		return 'configured';
	}

	const hasCredentials = Object.keys(transport.headers).some(name => name.toLowerCase() === 'authorization');
	return problem?.code === 'server_unauthorized' && !hasCredentials ? 'asked-for' : 'possible';
}

/** The part of a `server.state` event derived from the state alone. */
type StateText = {
	readonly state: ServerStatus;
} & Pick<ServerState, 'reason' | 'retryAt' | 'era' | 'protocolVersion' | 'latencyMs'>;

const restReasons = {
	unused: 'connects at the first tool call',
	idle: 'stopped after its idle time; the next call starts it',
	age: 'stopped at its maximum age; the next call starts it',
} as const satisfies Record<Extract<ConnectionState, {kind: 'lazy'}>['why'], string>;

/** Problems of a process, which its output explains. */
const processProblems: ReadonlySet<ProblemCode> = new Set([
	'server_exited',
	'connect_timeout',
	'connect_failed',
	'invalid_answer',
	'not_an_mcp_server',
]);

/** The reason that a server is not connected. */
function problemOf(state: ConnectionState): Problem | undefined {
	if (state.kind === 'connecting') {
		return state.step.kind === 'pausing' ? state.step.problem : undefined;
	}

	return 'problem' in state ? state.problem : undefined;
}

/** The remedy for a server that refused a request without credentials and is configured without any. */
function loginOrHeaders(server: string): readonly NextAction[] {
	return [
		{kind: 'switch-to-oauth', server},
		{kind: 'text', text: 'or set `headers` in its entry'},
		{kind: 'reconnect', server},
	];
}

/** A connection state in plain words: what it is, and why. */
export function connectionText(state: ConnectionState): StateText {
	switch (state.kind) {
		case 'disabled':
			return {state: 'disabled', reason: 'disabled in config.yaml'};
		case 'lazy':
			return {state: 'lazy', reason: restReasons[state.why]};
		case 'connecting':
			return state.step.kind === 'trying'
				? {state: 'connecting', ...(state.attempt > 1 && {reason: `attempt ${state.attempt}`})}
				: {
						state: 'connecting',
						reason: `${state.step.problem.message}; attempt ${state.attempt + 1} follows`,
						retryAt: state.step.until,
					};
		case 'connected': {
			const {era, protocolVersion, latencyMs} = state;
			return {state: 'connected', era, protocolVersion, latencyMs};
		}

		case 'waiting':
			return {state: 'waiting', reason: state.problem.message, retryAt: state.until};
		case 'needs-login':
		case 'failed':
			return {state: state.kind, reason: state.problem.message};
		case 'stopped':
			return {state: 'stopped'};
	}
}

/** The actions for a server in this state; `withheld`: variables that it does not get and may lack. */
export function connectionActions(
	state: ConnectionState,
	{server, withheld = []}: {readonly server: string; readonly withheld?: readonly string[]},
): readonly NextAction[] {
	const pass: readonly NextAction[] = withheld.length > 0 ? [{kind: 'pass-env', names: withheld}] : [];
	const remedy = (problem: Problem): NextAction => ({kind: 'text', text: ofServer(problem, server).remedy});
	switch (state.kind) {
		case 'disabled':
			return [{kind: 'enable', server}];
		case 'lazy':
			return [{kind: 'connect', server}];
		case 'connecting':
			return state.step.kind === 'trying' ? [] : [...pass, {kind: 'try-now', server}];
		case 'connected':
		// It is on its way out, and nothing starts it again.
		case 'stopped':
			return [];
		case 'needs-login':
			return [{kind: 'login', server}];
		case 'waiting':
			return [...pass, remedy(state.problem), {kind: 'try-now', server}];
		case 'failed':
			return [...pass, remedy(state.problem), {kind: 'reconnect', server}];
	}
}
