import {type EventRecord, type EventRow, type Journal} from '../../journal/journal.ts';
import {replayMark} from '../../journal/rows/event-rows.ts';
import {type GatewayEventBody, type Publish} from '../../state/event.ts';
import {type Clock} from '../../util/clock.ts';
import {isSecretSetting, maskedText} from '../../util/redact.ts';
import {memoize} from '../../util/memoize.ts';
import {safeText} from '../../util/safe-text.ts';
import {isDelivery, type Outcome, type Reply, replyTo} from '../http/outcome.ts';
import {deduplicationMilliseconds} from '../signature/delivery-id.ts';
import {type AcceptableEvent, type RequestContext} from './request-context.ts';

/** Writes requests to the journal and publishes them as events. */
export type EventRows = {
	/** The row of a request with this outcome. */
	readonly record: (context: RequestContext, outcome: Outcome) => EventRecord;
	/** Publishes the outcome of a request, once per request, and returns the response to send. */
	readonly settle: (context: RequestContext, outcome: Outcome) => Reply;
};

/** Dependencies for writing an event. */
export type PersistOptions = {
	readonly journal: Pick<Journal, 'acceptEvent'>;
	/** Receives internal errors, which no sender may see. */
	readonly report: (caught: unknown) => void;
};

const shownCharacters = 200;
const refusedHeaderCharacters = 1000;
const refusedValueCharacters = 200;

/** Creates the rows. A request belongs to the profile of its route, one without a route to the running `profile`. */
export function createEventRows(options: {
	readonly clock: Clock;
	readonly publishFor: (profile: string) => Publish;
	readonly journal: Pick<Journal, 'recordEvent' | 'settleEvent'>;
	readonly profile: string;
}): EventRows {
	const {clock, publishFor, journal, profile} = options;
	const rowOf = (context: RequestContext, outcome: Outcome, {status, name, reason}: Reply): EventRow => ({
		id: context.id,
		time: context.arrivedAt,
		profile: context.profile ?? profile,
		route: outcome.kind === 'unknown-route' ? shown(outcome.name) : context.route,
		event: context.event,
		deliveryId: context.deliveryId,
		status,
		outcome: name,
		reason: context.replayOf === undefined ? reason : replayReason(context.replayOf, reason),
		ms: Math.round(clock.elapsed() - context.startedAt),
	});
	const withContent = (row: EventRow, context: RequestContext, outcome: Outcome): EventRecord => ({
		...row,
		headers: isStored(outcome) ? maskedHeaders(context) : cutHeaders(maskedHeaders(context)),
		body: isStored(outcome) ? context.body : undefined,
		...(isStored(outcome) && context.files.length > 0 && {files: context.files}),
		trace: context.trace,
	});

	/** An accepted event was written before the response, a message with its outcome; a requested job and an answered caller get their outcome here. */
	const write = (row: EventRow, context: RequestContext, outcome: Outcome) => {
		if (outcome.kind === 'job-asked' || outcome.kind === 'job-unavailable' || outcome.kind === 'answered') {
			journal.settleEvent(row.id, row);
		} else if (!isWritten(outcome)) {
			journal.recordEvent(withContent(row, context, outcome));
		}
	};

	return {
		record: (context, outcome) =>
			withContent(rowOf(context, outcome, replyTo(outcome, context.acknowledgement)), context, outcome),
		settle(context, outcome) {
			const reply = replyTo(outcome, context.acknowledgement);
			if (!isProbe(outcome)) {
				const row = rowOf(context, outcome, reply);
				write(row, context, outcome);
				publishFor(row.profile)(settledEvent(row));
			}

			return reply;
		},
	};
}

/** Writes the event and claims its delivery id; undefined when both are on disk. Never rejects. */
export async function persistEvent(
	{deliveryId, context, route}: Pick<AcceptableEvent, 'deliveryId' | 'context' | 'route'>,
	{journal, report}: PersistOptions,
	request: Parameters<Journal['acceptEvent']>[0],
): Promise<Outcome | undefined> {
	const deduplicateUntil =
		deliveryId.source === 'sender' ? context.arrivedAt + deduplicationMilliseconds(route) : undefined;
	try {
		const outcome = await journal.acceptEvent({...request, deduplicateUntil});
		switch (outcome) {
			case 'accepted':
				return undefined;
			case 'duplicate':
				return {kind: 'duplicate', deliveryId: deliveryId.id};
			case 'open':
				return {kind: 'delivery-in-progress'};
			case 'queue-full':
				return {kind: 'queue-full'};
		}
	} catch (error) {
		report(error);
		return {kind: 'storage-unavailable'};
	}
}

/** Marks the row of a replay. */
export function replayReason(id: string, reason: string | undefined): string {
	return `${replayMark}${id}${reason === undefined ? '' : `: ${reason}`}`;
}

/** True for a response to a monitor of the gateway, which asks every few seconds. */
function isProbe({kind}: Outcome): boolean {
	return kind === 'health' || kind === 'ready' || kind === 'not-ready';
}

/** Outcomes whose row is already written, because the response had to wait for it, or by another gateway. */
function isWritten(outcome: Outcome): boolean {
	const {kind} = outcome;
	return kind === 'accepted' || kind === 'coalesced' || kind === 'delivery-released' || isDelivery(outcome);
}

/** Stores the bodies of accepted and of ignored requests, never of refused ones (docs/webhooks.md, Answers). */
function isStored(outcome: Outcome): boolean {
	const {kind} = outcome;
	return (
		kind === 'accepted' ||
		kind === 'job-asked' ||
		kind === 'coalesced' ||
		isDelivery(outcome) ||
		kind === 'filtered' ||
		kind === 'script-ignored' ||
		kind === 'event-ignored'
	);
}

/** The event of a request that is over, safe to show. */
export function settledEvent(row: EventRow): Extract<GatewayEventBody, {type: 'webhook.settled'}> {
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

/** Headers for the journal: tokens and credentials are masked; signatures are not secret. */
function maskedHeaders({headers, secretHeader, files}: RequestContext): Readonly<Record<string, string>> {
	const masked: Record<string, string> = {};
	for (const [name, value] of headers) {
		if (name === 'content-encoding' && files.length > 0) {
			// Files are taken out of the decoded body.
			continue;
		}

		masked[name] = name === secretHeader || isSecretHeader(name) ? maskedText : value;
	}

	return masked;
}

/** The headers of a refused request, whose sender may be anybody: only a beginning is kept. */
function cutHeaders(headers: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
	let left = refusedHeaderCharacters;
	const cut: Record<string, string> = {};
	for (const [name, value] of Object.entries(headers)) {
		const kept = value.slice(0, refusedValueCharacters);
		left -= name.length + kept.length;
		if (left < 0) {
			break;
		}

		cut[name] = kept;
	}

	return cut;
}

const isSecretHeader = memoize(isSecretSetting);

function shown(text: string): string {
	return safeText(text, {maximumCharacters: shownCharacters});
}
