import {type Duplex} from 'node:stream';
import {type ConsoleMessage} from '../state/console-message.ts';
import {type EventBus} from '../state/event-bus.ts';
import {type GatewayEvent} from '../state/event.ts';
import {type LiveSnapshot} from '../state/gathered-snapshot.ts';
import {ringLimits} from '../state/reduce.ts';
import {type Snapshot} from '../state/snapshot.ts';
import {isUrgent} from '../state/store.ts';
import {type Clock, type Timer} from '../util/clock.ts';
import {maximumConsoleLineBytes, maximumConsoleWaitingBytes} from './limits.ts';
import {noteLine} from './request.ts';

/** The sources of the events of a console. `id`: of the request that opened it, as JSON. */
type EventSources = {
	readonly clock: Clock;
	readonly live: Pick<LiveSnapshot, 'current'>;
	readonly eventBus: Pick<EventBus, 'listenToAll'>;
	readonly id: string;
};

/** As often as a dashboard draws; what a person waits for is sent at once. */
const batchMilliseconds = 50;

/** Rows of the rings that a snapshot carries; the journal has the older ones. */
const snapshotRows = {events: 2000, log: 1000, decisions: ringLimits.decisions} as const;

/** The events of one console. */
export type EventSender = {
	/** Sends the line of a result or a note, after the events that led to it. */
	readonly send: (line: string) => void;
	readonly close: () => void;
};

/**
Sends a snapshot and then events, in batches. A console that does not read gets no more events until it has read what waits for it, and then a new
snapshot and the results of its calls: it never holds up the gateway, and never makes it keep more than one snapshot, one batch and those results.
*/
export function createEventSender(connection: Duplex, {clock, live, eventBus, id}: EventSources): EventSender {
	let pending: GatewayEvent[] = [];
	let timer: Timer | undefined;
	let state: 'following' | 'behind' | 'closed' = 'following';
	let waitingLimit: number = maximumConsoleWaitingBytes;
	const results = createResults(connection);
	const sendSnapshot = () => {
		const note = snapshotNote(live.current());
		waitingLimit = note.length + maximumConsoleWaitingBytes;
		connection.write(`{"id":${id},"event":`);
		connection.write(note);
		connection.write('}\n');
	};

	const flush = () => {
		timer?.cancel();
		timer = undefined;
		if (state !== 'following' || pending.length === 0) {
			return;
		}

		if (connection.writableLength > waitingLimit) {
			state = 'behind';
			pending = [];
		} else if (connection.writable) {
			const note = `{"kind":"events","events":[${pending.map(eventText).join(',')}]}`;
			connection.write(`${noteLine(id, note)}\n`);
			pending = [];
		}
	};

	const push = (event: GatewayEvent) => {
		if (state !== 'following') {
			return;
		}

		pending.push(event);
		if (isUrgent(event)) {
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
			results.release();
		}
	};

	connection.on('drain', onDrain);
	const endListening = eventBus.listenToAll(push);
	sendSnapshot();
	return {
		send(line) {
			flush();
			results.send(`${line}\n`, state === 'behind' ? 'later' : 'now');
		},
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

/** The lines of results for a console. Those that come while it is behind are kept for after its new snapshot. */
function createResults(connection: Duplex) {
	let late: string[] = [];
	let lateBytes = 0;
	return {
		send(line: string, when: 'now' | 'later'): void {
			if (connection.writableLength + lateBytes + line.length > 2 * maximumConsoleLineBytes) {
				// It asks, and never reads the answers.
				connection.destroy();
			} else if (when === 'later') {
				late.push(line);
				lateBytes += line.length;
			} else if (connection.writable) {
				connection.write(line);
			}
		},
		release(): void {
			late.forEach(line => connection.write(line));
			late = [];
			lateBytes = 0;
		},
	};
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

const snapshotNotes = new WeakMap<Snapshot, Buffer>();

/** A snapshot as JSON; its rings are cut by half until it is short enough to be read. Consoles that get the same one share it. */
function snapshotNote(snapshot: Snapshot): Buffer {
	const known = snapshotNotes.get(snapshot);
	if (known) {
		return known;
	}

	for (let share = 1; ; share /= 2) {
		const message: ConsoleMessage = {kind: 'snapshot', snapshot: withNewest(snapshot, share)};
		const note = Buffer.from(JSON.stringify(message));
		if (note.length < maximumConsoleLineBytes - 1000 || share < 0.01) {
			snapshotNotes.set(snapshot, note);
			return note;
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
