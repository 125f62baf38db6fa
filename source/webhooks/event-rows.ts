import {type EventRecord, type EventRow, type Journal} from '../journal/journal.ts';
import {type Publish} from '../state/event.ts';
import {type Clock} from '../util/clock.ts';
import {isSecretSetting} from '../util/redact.ts';
import {remembered} from '../util/remembered.ts';
import {safeText} from '../util/safe-text.ts';
import {type Outcome, type Reply, replyTo} from './outcome.ts';
import {type Visit} from './visit.ts';

/** Turns visits into rows: of the journal, and of everyone who listens. */
export type EventRows = {
	/** The row of a request as it reads with this outcome. */
	readonly record: (visit: Visit, outcome: Outcome) => EventRecord;
	/** Tells how a request ended, once per request, and gives the answer to send. */
	readonly settle: (visit: Visit, outcome: Outcome) => Reply;
};

const shownCharacters = 200;

/** Opens the rows of one profile. */
export function createEventRows(options: {
	readonly clock: Clock;
	readonly publish: Publish;
	readonly journal: Pick<Journal, 'recordEvent' | 'settleEvent'>;
	readonly profile: string;
}): EventRows {
	const {clock, publish, journal, profile} = options;
	const rowOf = (visit: Visit, outcome: Outcome, {status, name, reason}: Reply): EventRow => ({
		id: visit.id,
		time: visit.arrivedAt,
		profile,
		route: outcome.kind === 'unknown-route' ? shown(outcome.name) : visit.route,
		event: visit.event,
		deliveryId: visit.deliveryId,
		status,
		outcome: name,
		reason: visit.replayOf === undefined ? reason : replayReason(visit.replayOf, reason),
		ms: Math.round(clock.elapsed() - visit.startedAt),
	});
	const withContent = (row: EventRow, visit: Visit, outcome: Outcome): EventRecord => ({
		...row,
		headers: maskedHeaders(visit),
		body: isKept(outcome) ? visit.body : undefined,
		trace: visit.trace,
	});

	/** An accepted event was written before it was answered; one that was acted on at once, too, and then gets its end. */
	const write = (row: EventRow, visit: Visit, outcome: Outcome) => {
		if (settles(outcome)) {
			journal.settleEvent(row.id, row);
		} else if (outcome.kind !== 'accepted' && outcome.kind !== 'coalesced') {
			journal.recordEvent(withContent(row, visit, outcome));
		}
	};

	return {
		record: (visit, outcome) => withContent(rowOf(visit, outcome, replyTo(outcome)), visit, outcome),
		settle(visit, outcome) {
			const reply = replyTo(outcome);
			if (outcome.kind !== 'health') {
				const row = rowOf(visit, outcome, reply);
				write(row, visit, outcome);
				publish(settledEvent(row));
			}

			return reply;
		},
	};
}

/** A row of a replay says so. */
export function replayReason(id: string, reason: string | undefined): string {
	return `replay of ${id}${reason === undefined ? '' : `: ${reason}`}`;
}

/** What was acted on before the answer. */
function settles({kind}: Outcome): boolean {
	return kind === 'delivered' || kind === 'delivery-failed' || kind === 'job-asked';
}

/** Bodies are kept of what was taken and of what a route ignored; never of what was refused (spec/decisions.md, D8). */
function isKept({kind}: Outcome): boolean {
	return (
		kind === 'accepted' ||
		kind === 'job-asked' ||
		kind === 'coalesced' ||
		kind === 'delivered' ||
		kind === 'delivery-failed' ||
		kind === 'filtered' ||
		kind === 'script-ignored' ||
		kind === 'event-ignored'
	);
}

function settledEvent(row: EventRow): Parameters<Publish>[0] {
	const {status, outcome, reason, ms} = row;
	return {
		type: 'webhook.settled',
		eventId: row.id,
		route: shown(row.route),
		event: shown(row.event),
		deliveryId: shown(row.deliveryId),
		status,
		outcome,
		reason: reason === undefined ? undefined : shown(reason),
		ms,
	};
}

/** Headers for the journal: tokens and credentials are masked, signatures are no secrets. */
function maskedHeaders({headers, secretHeader}: Visit): Readonly<Record<string, string>> {
	const masked: Record<string, string> = {};
	for (const [name, value] of headers) {
		masked[name] = name === secretHeader || isSecretHeader(name) ? '‹masked›' : value;
	}

	return masked;
}

const isSecretHeader = remembered(isSecretSetting);

function shown(text: string): string {
	return safeText(text, {maximumCharacters: shownCharacters});
}
