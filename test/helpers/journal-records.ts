import {cpSync, existsSync} from 'node:fs';
import {join} from 'node:path';
import {onTestFinished} from 'vitest';
import {
	type OutgoingMessage,
	type CallRecord,
	type DecisionRecord,
	type EventRecord,
	type FailedDeliveryChange,
	type Journal,
	type RunRecord,
} from '../../source/journal/journal.ts';
import {openJournal} from '../../source/journal/open-journal.ts';
import {type Clock} from '../../source/util/clock.ts';
import {type Problem} from '../../source/util/problem.ts';
import {randomId} from '../../source/util/random-id.ts';
import {to} from './destinations.ts';
import {temporaryDirectory} from './temporary-directory.ts';

/** A request as the journal keeps it. */
export function sampleEvent(changes: Partial<EventRecord> = {}): EventRecord {
	const id = changes.id ?? randomId();
	return {
		id,
		time: 1_700_000_000_000,
		profile: 'default',
		route: 'github',
		event: 'push',
		deliveryId: `delivery-${id}`,
		headers: {'content-type': 'application/json'},
		body: new TextEncoder().encode('{"ref":"main"}'),
		status: 202,
		outcome: 'accepted',
		ms: 1.5,
		...changes,
	};
}

/** A run as it is accepted with its event. */
export function sampleRun(changes: Partial<RunRecord> = {}): RunRecord {
	const id = changes.id ?? randomId();
	return {
		id,
		eventId: `event-${id}`,
		profile: 'default',
		route: 'github',
		event: 'push',
		deliveryId: `delivery-${id}`,
		prompt: 'Look at main',
		deliver: to('log'),
		skills: [],
		createdAt: 1_700_000_000_000,
		...changes,
	};
}

/** A call of a tool that has not ended. */
export function sampleCall(changes: Partial<CallRecord> = {}): CallRecord {
	return {
		id: randomId(),
		time: 1,
		profile: 'default',
		server: 'garden',
		tool: 'water',
		arguments: {bed: 1},
		origin: {kind: 'command-line'},
		...changes,
	};
}

/** A decision of a person. */
export function sampleDecision(changes: Partial<DecisionRecord> = {}): DecisionRecord {
	return {
		id: randomId(),
		time: 1,
		profile: 'default',
		server: 'garden',
		tool: 'water',
		argumentsHash: 'hash',
		outcome: 'approved',
		...changes,
	};
}

/** A message to deliver. */
export function sampleMessage(id: string, changes: Partial<OutgoingMessage> = {}): OutgoingMessage {
	return {id, eventId: '', target: 'log', text: 'hello', extra: {}, deliveryId: id, route: 'github', ...changes};
}

/** Accepts an event that leads to `run`. */
export function acceptRun(journal: Pick<Journal, 'acceptEvent'>, run: RunRecord): Promise<unknown> {
	const {eventId: id, route, deliveryId} = run;
	return journal.acceptEvent({event: sampleEvent({id, route, deliveryId}), run});
}

/** Takes the oldest queued run as its taker does. */
export async function takeRun(
	journal: Pick<Journal, 'nextQueuedRuns' | 'moveQueuedRuns'>,
	change: Parameters<Journal['moveQueuedRuns']>[1] = {state: 'running'},
): Promise<RunRecord | undefined> {
	const [run] = await journal.nextQueuedRuns(1);
	const moved = await journal.moveQueuedRuns(run ? [run.id] : [], change);
	return run && moved.has(run.id) ? run : undefined;
}

/** The options with which a test opens a journal. */
export type TestJournalOptions = {
	readonly clock: Clock;
	readonly path?: string;
	readonly maxAgeDays?: number | (() => number);
	readonly maxBytes?: number;
	readonly report?: (problem: Problem) => void;
	readonly onFailedDelivery?: (change: FailedDeliveryChange) => void;
};

/** The limits of such a journal: by default none that a test would meet. */
export function journalLimits({
	maxAgeDays = 30,
	maxBytes = 2 ** 30,
}: Pick<TestJournalOptions, 'maxAgeDays' | 'maxBytes'>) {
	return () => ({maxAgeDays: typeof maxAgeDays === 'number' ? maxAgeDays : maxAgeDays(), maxBytes});
}

/** A journal in a directory of its own, closed when the test has ended. */
export function openTestJournal(options: TestJournalOptions): Journal {
	const {clock, path = join(temporaryDirectory(), 'journal.db'), report, onFailedDelivery} = options;
	const journal = openJournal({path, clock, limits: journalLimits(options), report, onFailedDelivery});
	onTestFinished(() => journal.close());
	return journal;
}

/** The path of a copy of an open journal as a hard kill at this moment would leave it. */
export function crashImage(path: string): string {
	const copy = `${path}.left`;
	for (const end of ['', '-wal'].filter(one => existsSync(path + one))) {
		cpSync(path + end, copy + end);
	}

	return copy;
}
