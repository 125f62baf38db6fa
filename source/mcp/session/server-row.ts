import {type ServerConfig} from '../../config/servers/server-entry.ts';
import {type Publish, type ServerState, type ServerStatus} from '../../state/event.ts';
import {problemCodes} from '../../util/problem-codes.ts';
import {type Problem} from '../../util/problem.ts';
import {safeText} from '../../util/safe-text.ts';
import {serverAddress} from '../transport/server-address.ts';
import {type ConnectionState} from './connection-state.ts';
import {type TransportKind} from './session.ts';

/** The registered tools of a server. */
export type ToolCount = {
	/** The number of callable tools. */
	readonly tools: number;
	/** Why the others are not registered, in words. */
	readonly notice?: string;
};

/** Publishes the state of one server. */
export type ServerRow = {
	readonly show: (now: {
		readonly state: ConnectionState;
		readonly transport: TransportKind;
		readonly count: ToolCount;
	}) => void;
	/** Logs a line. */
	readonly warn: (text: string) => void;
};

/** Creates the row of a server; nothing is published before `show`. */
export function createServerRow(config: ServerConfig, publish: Publish): ServerRow {
	const {name: server, trust} = config;
	const address = serverAddress(config.transport);
	return {
		show({state, transport, count: {tools, notice}}) {
			const words = connectionText(state);
			const reason = [words.reason, notice].filter(text => text !== undefined).join('; ');
			publish({
				type: 'server.state',
				server,
				...words,
				...(reason !== '' && {reason}),
				tools,
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

/** The part of a `server.state` event derived from the state alone. */
type StateText = {
	readonly state: ServerStatus;
} & Pick<ServerState, 'reason' | 'nextAction' | 'retryAt' | 'era' | 'latencyMs'>;

const restReasons = {
	unused: 'connects at the first tool call',
	idle: 'stopped after its idle time; the next call starts it',
	age: 'stopped at its maximum age; the next call starts it',
} as const satisfies Record<Extract<ConnectionState, {kind: 'lazy'}>['why'], string>;

/** A connection state in plain words: what it is, why, and what a person can do about it. */
export function connectionText(state: ConnectionState): StateText {
	switch (state.kind) {
		case 'disabled':
			return {state: 'disabled', reason: 'disabled in config.yaml', nextAction: 'e to enable'};
		case 'lazy':
			return {state: 'lazy', reason: restReasons[state.why], nextAction: 'r to connect now'};
		case 'connecting':
			return state.step.kind === 'trying'
				? {state: 'connecting', ...(state.attempt > 1 && {reason: `attempt ${state.attempt}`})}
				: {
						state: 'connecting',
						reason: `${state.step.problem.message}; attempt ${state.attempt + 1} follows`,
						nextAction: 'r to try now',
						retryAt: state.step.until,
					};
		case 'connected':
			return {state: 'connected', era: state.era, latencyMs: state.latencyMs};
		case 'needs-login':
			return {state: 'needs-login', reason: state.problem.message, nextAction: 'L to log in'};
		case 'waiting':
			return {
				state: 'waiting',
				reason: state.problem.message,
				nextAction: `${remedy(state.problem)}; r to try now`,
				retryAt: state.until,
			};
		case 'failed':
			return {
				state: 'failed',
				reason: state.problem.message,
				nextAction: `${remedy(state.problem)}; then r to reconnect`,
			};
		case 'stopped':
			return {state: 'stopped', nextAction: 'r to reconnect'};
	}
}

function remedy(problem: Problem): string {
	return problemCodes[problem.code].remedy;
}
