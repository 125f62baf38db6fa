import {type Duplex} from 'node:stream';
import {type Console, type OpenConsole} from '../state/console.ts';
import {type ConsoleMode} from '../state/console-state.ts';
import {type EventBus} from '../state/event-bus.ts';
import {type GatewayEvent} from '../state/event.ts';
import {type LiveSnapshot} from '../state/gathered-snapshot.ts';
import {ringLimits} from '../state/reduce.ts';
import {type Snapshot} from '../state/snapshot.ts';
import {isUrgent} from '../state/store.ts';
import {type Clock, type Timer} from '../util/clock.ts';
import {isDeeperThan, parseJson} from '../util/json-text.ts';
import {
	deepestConsoleMessage,
	type FromConsole,
	fromConsoleSchema,
	maximumCommandsPerSecond,
	maximumConsoleLineBytes,
	maximumConsoleWaitingBytes,
	type ToConsole,
} from './console-wire.ts';
import {watchPresence} from './console-presence.ts';
import {createLineReader} from './line-reader.ts';
import {maximumLineBytes} from './limits.ts';

export type ServeConsoleOptions = {
	readonly clock: Clock;
	readonly live: Pick<LiveSnapshot, 'current'>;
	readonly eventBus: Pick<EventBus, 'listenToAll'>;
	readonly openConsole: OpenConsole;
	/** Called with the console, and with what its client says of its terminal, once it is open. */
	readonly onOpened: (
		console: Pick<Console, 'number'>,
		claim: {readonly mode: ConsoleMode; readonly terminal: string},
	) => void;
	readonly signal: AbortSignal;
};

/** As often as a dashboard draws; what a person waits for is sent at once. */
const batchMilliseconds = 50;

/** Rows of the rings that a snapshot carries; the journal has the older ones. */
const snapshotRows = {events: 2000, log: 1000, decisions: ringLimits.decisions} as const;

/** Serves one attached console on a connection, until it goes away or the gateway stops (docs/architecture.md, Attached dashboards). */
export function serveConsole(connection: Duplex, options: ServeConsoleOptions): Promise<void> {
	const {promise: over, resolve: end} = Promise.withResolvers<void>();
	let console: Console | undefined;
	let sender: EventSender | undefined;
	let state: 'open' | 'over' = 'open';
	const isWithinLimit = createCommandLimit(options.clock);
	const watch = watchPresence(options.clock, {
		check: () => send({kind: 'check'}),
		onChange: presence => console?.setPresence(presence),
	});
	const send = (message: ToConsole) => {
		if (connection.writableLength > maximumConsoleLineBytes) {
			// It asks, and never reads the answers.
			connection.destroy();
		} else if (connection.writable) {
			connection.write(`${JSON.stringify(message)}\n`);
		}
	};

	const open = ({mode, terminal, browser}: Extract<FromConsole, {kind: 'open'}>) => {
		const opened = options.openConsole({mode, browser, show: event => sender?.push(event)});
		console = opened;
		send({kind: 'opened', number: opened.number, pid: process.pid});
		sender = createEventSender(connection, options);
		options.onOpened(opened, {mode, terminal});
	};

	const refuse = (message: string) => {
		send({kind: 'refused', message});
		state = 'over';
		end();
	};

	const take = (message: FromConsole) => {
		if (message.kind === 'open') {
			if (!console) {
				open(message);
			}
		} else if (message.kind === 'here') {
			return;
		} else if (!isWithinLimit()) {
			refuse(`The gateway takes ${maximumCommandsPerSecond} commands a second from a window, and this one sent more`);
		} else if (message.kind === 'command') {
			console?.send(message.command);
		} else {
			const {id, query} = message;
			void console?.readWhole(query).then(whole => send({kind: 'whole', id, whole: whole ?? null}));
		}
	};

	const reader = createMessageReader({
		isOpen: () => state === 'open',
		refuse,
		take(message) {
			watch.heard();
			take(message);
		},
	});
	connection.on('data', reader.push);
	// Its last bytes may never be read, and until they are, a connection that hung up is not closed.
	connection.on('end', end);
	connection.on('close', end);
	connection.resume();
	options.signal.addEventListener('abort', () => end(), {once: true});
	if (options.signal.aborted) {
		end();
	}

	return over.finally(() => {
		state = 'over';
		watch.close();
		connection.off('data', reader.push);
		sender?.close();
		console?.close();
	});
}

/** Reads what a console sends; what cannot be read is refused. */
function createMessageReader({
	isOpen,
	take,
	refuse,
}: {
	readonly isOpen: () => boolean;
	readonly take: (message: FromConsole) => void;
	readonly refuse: (message: string) => void;
}) {
	return createLineReader({
		maximumBytes: maximumLineBytes,
		onLine(line) {
			const message = isOpen() ? readLine(line) : undefined;
			if (message) {
				take(message);
			} else if (isOpen()) {
				refuse('This window sent what the gateway cannot read');
			}
		},
		onTooLong: () => refuse('This window sent a line that is too long'),
	});
}

/** The message in a line; undefined when there is none, or one whose depth would exhaust the stack of whoever reads it. */
function readLine(line: string): FromConsole | undefined {
	const value = parseJson(line);
	if (value === undefined || isDeeperThan(value, deepestConsoleMessage)) {
		return undefined;
	}

	return fromConsoleSchema.safeParse(value).data;
}

/** Whether one more command is within the limit; counted by whole seconds. */
function createCommandLimit(clock: Clock): () => boolean {
	let since = clock.elapsed();
	let count = 0;
	return () => {
		if (clock.elapsed() - since >= 1000) {
			since = clock.elapsed();
			count = 0;
		}

		count++;
		return count <= maximumCommandsPerSecond;
	};
}

type EventSender = {readonly push: (event: GatewayEvent) => void; readonly close: () => void};

/**
Sends a snapshot and then events, in batches. A console that does not read gets nothing more until it has read what waits for it, and then a new
snapshot with the answers to its own questions: it never holds up the gateway, and never makes it keep more than one snapshot and one batch.
*/
function createEventSender(
	connection: Duplex,
	{clock, live, eventBus}: Pick<ServeConsoleOptions, 'clock' | 'live' | 'eventBus'>,
): EventSender {
	let pending: GatewayEvent[] = [];
	let timer: Timer | undefined;
	let state: 'following' | 'behind' | 'closed' = 'following';
	let waitingLimit: number = maximumConsoleWaitingBytes;
	const sendSnapshot = () => {
		const line = snapshotLine(live.current());
		waitingLimit = line.length + maximumConsoleWaitingBytes;
		connection.write(line);
	};

	const flush = () => {
		timer?.cancel();
		timer = undefined;
		if (state !== 'following' || pending.length === 0) {
			return;
		}

		if (connection.writableLength > waitingLimit) {
			state = 'behind';
			pending = keptAnswers(pending);
		} else if (connection.writable) {
			connection.write(`{"kind":"events","events":[${pending.map(eventText).join(',')}]}\n`);
			pending = [];
		}
	};

	const push = (event: GatewayEvent) => {
		pending.push(event);
		if (state !== 'following') {
			pending = keptAnswers(pending);
		} else if (isUrgent(event)) {
			flush();
		} else {
			timer ??= clock.after(batchMilliseconds, flush);
		}
	};

	const onDrain = () => {
		waitingLimit = maximumConsoleWaitingBytes;
		if (state === 'behind') {
			state = 'following';
			sendSnapshot();
			flush();
		}
	};

	connection.on('drain', onDrain);
	const endListening = eventBus.listenToAll(push);
	sendSnapshot();
	return {
		push,
		close() {
			state = 'closed';
			timer?.cancel();
			endListening();
			connection.off('drain', onDrain);
			if (connection.writableLength > maximumConsoleWaitingBytes) {
				// It does not read: nobody waits until it does.
				connection.destroy();
			}
		},
	};
}

/** More than a person asks for while nothing comes. */
const mostKeptAnswers = 100;

/** The newest answers to what the console itself asked for (`view.…`): no snapshot has them. */
function keptAnswers(events: readonly GatewayEvent[]): GatewayEvent[] {
	return events.filter(({type}) => type.startsWith('view.')).slice(-mostKeptAnswers);
}

const texts = new WeakMap<GatewayEvent, string>();

/** The same event goes to every console. */
function eventText(event: GatewayEvent): string {
	const known = texts.get(event);
	if (known !== undefined) {
		return known;
	}

	const text = JSON.stringify(event);
	texts.set(event, text);
	return text;
}

const snapshotLines = new WeakMap<Snapshot, Buffer>();

/** A snapshot as a line; its rings are cut by half until it is short enough to be read. Consoles that get the same one share it. */
function snapshotLine(snapshot: Snapshot): Buffer {
	const known = snapshotLines.get(snapshot);
	if (known) {
		return known;
	}

	for (let share = 1; ; share /= 2) {
		const message: ToConsole = {kind: 'snapshot', snapshot: withNewest(snapshot, share)};
		const line = Buffer.from(`${JSON.stringify(message)}\n`);
		if (line.length <= maximumConsoleLineBytes || share < 0.01) {
			snapshotLines.set(snapshot, line);
			return line;
		}
	}
}

function withNewest(snapshot: Snapshot, share: number): Snapshot {
	const newest = <Row>(rows: readonly Row[], count: number) => rows.slice(-Math.max(1, Math.round(count * share)));
	return {
		...snapshot,
		events: newest(snapshot.events, snapshotRows.events),
		log: newest(snapshot.log, snapshotRows.log),
		decisions: newest(snapshot.decisions, snapshotRows.decisions),
	};
}
