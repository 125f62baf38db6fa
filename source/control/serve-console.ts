import {createEventSender, type EventSender} from './event-sender.ts';
import {type Duplex} from 'node:stream';
import {type MethodName} from '../state/api.ts';
import {type Console, type OpenConsole} from '../state/console.ts';
import {type ConsoleMessage, type ConsoleOptions} from '../state/console-message.ts';
import {type EventBus} from '../state/event-bus.ts';
import {type LiveSnapshot} from '../state/gathered-snapshot.ts';
import {type Clock} from '../util/clock.ts';
import {isDeeperThan, parseJson} from '../util/json-text.ts';
import {createIntervalCount} from '../util/limits/interval-count.ts';
import {Problem} from '../util/problem.ts';
import {watchPresence} from './console-presence.ts';
import {
	deepestConsoleMessage,
	maximumCommandsPerSecond,
	maximumConsoleCalls,
	maximumConsoleLineBytes,
} from './limits.ts';
import {
	type AskedMethod,
	type ControlReply,
	type ControlRequest,
	errorReply,
	noteLine,
	parseRequest,
	readMethod,
	replyLine,
} from './request.ts';

/** The parts that serve attached consoles. */
export type ConsoleParts = {
	readonly live: Pick<LiveSnapshot, 'current'>;
	readonly eventBus: Pick<EventBus, 'listenToAll'>;
	readonly openConsole: OpenConsole;
	/** Called with the console, and with what its client says of its terminal, once it is open. */
	readonly onOpened: (console: Pick<Console, 'number'>, claim: Pick<ConsoleOptions, 'mode' | 'terminal'>) => void;
};

export type ServeConsoleOptions = ConsoleParts &
	ConsoleOptions & {
		/** That of the request that opened the console: its notes carry it. */
		readonly id: ControlRequest['id'];
		readonly profile?: string | undefined;
		readonly clock: Clock;
		readonly signal: AbortSignal;
	};

/** The console of a connection. */
export type ServedConsole = {
	readonly onLine: (line: string) => void;
	readonly onTooLong: () => void;
	/** Resolves when it has gone away, was refused, or the gateway stops. */
	readonly over: Promise<void>;
};

/** Serves one attached console on a connection, until it goes away or the gateway stops (docs/architecture.md, Attached dashboards). Throws `unknown_profile`. */
export function serveConsole(connection: Duplex, options: ServeConsoleOptions): ServedConsole {
	const {clock, mode, terminal, browser, profile, signal} = options;
	const {promise: over, resolve: end} = Promise.withResolvers<void>();
	const id = JSON.stringify(options.id);
	let state: 'open' | 'over' = 'open';
	const send = (line: string) => {
		if (connection.writableLength > maximumConsoleLineBytes) {
			// It asks, and never reads the answers.
			connection.destroy();
		} else if (connection.writable) {
			connection.write(`${line}\n`);
		}
	};

	const note = (message: ConsoleMessage) => send(noteLine(id, JSON.stringify(message)));
	const console = options.openConsole({mode, browser, ...(profile !== undefined && {profile})});
	note({kind: 'opened', number: console.number, pid: process.pid});
	const sender = createEventSender(connection, {...options, id});
	options.onOpened(console, {mode, terminal});
	const watch = watchPresence(clock, {check: () => note({kind: 'check'}), onChange: console.setPresence});
	const calls = createCalls(console, sender);
	const commands = createIntervalCount(clock, 1000);
	const refuse = (message: string) => {
		send(
			replyLine(
				id,
				{error: {code: 'control_failed', message}, problem: new Problem('control_failed')},
				maximumConsoleLineBytes,
			),
		);
		state = 'over';
		end();
	};

	// Its last bytes may never be read, and until they are, a connection that hung up is not closed.
	connection.on('end', end);
	connection.on('close', end);
	signal.addEventListener('abort', () => end(), {once: true});
	if (signal.aborted) {
		end();
	}

	return {
		onLine(line) {
			const asked = state === 'open' ? readAsked(line) : undefined;
			if (!asked) {
				if (state === 'open') {
					refuse('This window sent a message that the gateway cannot read');
				}

				return;
			}

			watch.heard();
			if (asked.name === 'console.here') {
				calls.reply(asked.request, {result: {}});
			} else if (commands.add() <= maximumCommandsPerSecond) {
				calls.begin(asked);
			} else {
				refuse(`This window sent more than ${maximumCommandsPerSecond} commands a second`);
			}
		},
		onTooLong: () => state === 'open' && refuse('This window sent a line that is too long'),
		over: over.finally(() => {
			state = 'over';
			watch.close();
			sender.close();
			console.close();
		}),
	};
}

type AskedByConsole = AskedMethod & {readonly request: ControlRequest};

/** The method in a line; undefined when there is none, or one whose depth would exhaust the stack of its reader. */
function readAsked(line: string): AskedByConsole | undefined {
	const value = parseJson(line);
	const isTooDeep = value !== undefined && isDeeperThan(value, deepestConsoleMessage);
	const request = isTooDeep ? undefined : parseRequest(value);
	try {
		return request && {...readMethod(request), request};
	} catch {
		return undefined;
	}
}

/** The calls of a console that are open. They end by themselves when it goes away. */
function createCalls(console: Pick<Console, 'call'>, {send}: Pick<EventSender, 'send'>) {
	const open = new Map<ControlRequest['id'], AbortController>();
	const reply = ({id}: ControlRequest, given: ControlReply) =>
		send(replyLine(JSON.stringify(id), given, maximumConsoleLineBytes));
	const run = async ({name, params, request}: AskedByConsole) => {
		const {id, profile} = request;
		const controller = new AbortController();
		open.set(id, controller);
		try {
			const result = await console.call<MethodName>(name, params, {
				signal: controller.signal,
				onNote: note => send(noteLine(JSON.stringify(id), JSON.stringify(note))),
				...(profile !== undefined && {profile}),
			});
			reply(request, {result});
		} catch (caught) {
			reply(request, errorReply(caught));
		} finally {
			open.delete(id);
		}
	};

	return {
		reply,
		begin(asked: AskedByConsole) {
			const {request} = asked;
			if (asked.name === 'request.cancel') {
				open.get(asked.params.request)?.abort(new Problem('cancelled'));
				reply(request, {result: {}});
			} else if (open.size >= maximumConsoleCalls || open.has(request.id)) {
				const message = 'Too many requests are open on this connection';
				reply(request, errorReply(new Problem('bad_usage', {message})));
			} else {
				void run(asked);
			}
		},
	};
}
