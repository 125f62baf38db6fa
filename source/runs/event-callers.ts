import {presets} from '../config/webhooks/presets/preset-table.ts';
import {type DeliveryResult} from '../delivery/deliver.ts';
import {type Journal, type OutgoingMessage, type RunRecord, type StoredMessage} from '../journal/journal.ts';
import {callerTarget, type EventCaller} from '../state/event-caller.ts';
import {type Clock, openDeadline, sleep} from '../util/clock.ts';
import {createInFlight} from '../util/in-flight.ts';
import {cutText} from '../util/json-text.ts';
import {orderedId} from '../util/random-id.ts';
import {maxOfEvent} from './resends.ts';
import {type CallerResult, type WaitingCallers} from './waiting-callers.ts';

/** An event whose sender gets the result, as its message names it. */
export type AnsweredEvent = Pick<OutgoingMessage, 'eventId' | 'profile' | 'runId' | 'deliveryId' | 'route'> & {
	readonly caller?: EventCaller;
};

/** The result of an event: a text, or that it has none because the model was silent, or something failed. */
export type EventResult = {readonly kind: 'text'; readonly text: string} | {readonly kind: 'silent' | 'failed'};

/** The senders of events that get the results: on their connection while they wait, later at the address that they named. */
export type EventCallers = {
	/** Waits for the result as long as the caller does; undefined when it is not there in time. */
	readonly wait: (event: AnsweredEvent, closed?: AbortSignal) => Promise<CallerResult | undefined>;
	/** Gives the result to the caller. Resolves once that is on disk; rejects with `storage_unavailable`. An event without a caller has nobody to give it to. */
	readonly give: (event: AnsweredEvent, result: EventResult, signal?: AbortSignal) => Promise<void>;
	/** Ends the wait of a caller that gets no result. */
	readonly release: WaitingCallers['release'];
	/** Sends nothing more. */
	readonly stop: () => Promise<void>;
};

/** Gives the result of a run to the sender of its event. Never rejects. */
export type GiveToCaller = (run: RunRecord, result: EventResult, signal?: AbortSignal) => Promise<void>;

/** The same function for runs. */
export function giveRunResult({give}: Pick<EventCallers, 'give'>, report: (caught: unknown) => void): GiveToCaller {
	return async ({id: runId, eventId, profile, deliveryId, route, caller}, result, signal) => {
		await (caller && give({runId, eventId, profile, deliveryId, route, caller}, result, signal).catch(report));
	};
}

/** The texts that stand in place of a result. */
const fixedTexts: Readonly<Record<'silent' | 'failed', string>> = {
	silent: 'There is nothing to answer.',
	failed: 'The request could not be completed.',
};

/** A provider has the acknowledgement by then, and another gateway had its turn. */
const settleMilliseconds = 1000;
/** The pause before the journal is read again for what another gateway wrote. */
const pollMilliseconds = 250;

type CallersOptions = {
	readonly journal: Pick<Journal, 'persistMessages' | 'listMessages'>;
	readonly clock: Clock;
	readonly isShared: () => boolean;
	readonly waiting: WaitingCallers;
	/** Sends a pending message. */
	readonly send: (message: StoredMessage) => Promise<DeliveryResult>;
	readonly report: (caught: unknown) => void;
};

/**
Creates them. A result is a message of the target `caller` in the journal. The gateway that has the request takes it from there while the request waits,
whichever gateway wrote it; after that the one that wrote it sends it, once.
*/
export function createEventCallers(options: CallersOptions): EventCallers {
	const {journal, clock, isShared, waiting, send, report} = options;
	const ending = new AbortController();
	const inFlight = createInFlight();
	/** After a stop the next start sends it, or another gateway. */
	const sendAfter = async (message: OutgoingMessage, time: number): Promise<void> => {
		const milliseconds = time - clock.now();
		await (milliseconds > 0 && sleep(clock, milliseconds, ending.signal));
		await send(message);
	};

	const track = (work: Promise<unknown>, signal: AbortSignal) =>
		void inFlight.track(work).catch((caught: unknown) => (signal.aborted ? undefined : report(caught)));

	return {
		async wait({eventId, caller}, closed) {
			const milliseconds = (caller?.waitsUntil ?? 0) - clock.now();
			if (milliseconds <= 0) {
				return undefined;
			}

			const reason = () => new Error('The caller is acknowledged');
			const deadline = openDeadline(clock, milliseconds, {reason, ...(closed && {signal: closed})});
			const over = new AbortController();
			const result = waiting.wait(eventId, deadline.signal);
			if (isShared()) {
				track(followJournal(eventId, {...options, signal: over.signal}), over.signal);
			}

			try {
				return await result;
			} finally {
				over.abort();
				deadline.cancel();
			}
		},
		async give({caller, ...event}, result, signal) {
			if (!caller) {
				return;
			}

			const {eventId} = event;
			const text = textOf(result, caller);
			if (text === undefined) {
				waiting.release(eventId);
				return;
			}

			const now = clock.now();
			const isHere = waiting.isWaiting(eventId);
			const mayWait = isHere || (isShared() && now < caller.waitsUntil);
			// A person may answer an inbox item once more, and a run may be interrupted after its answer.
			const isGiven = !isHere && (await findMessage(journal, eventId)) !== undefined;
			if (isGiven || !(mayWait || caller.later)) {
				return;
			}

			const message = {...event, caller, id: orderedId(now), target: callerTarget, text, extra: {}};
			await journal.persistMessages([message], 'pending', undefined, {signal});
			const sending = isHere ? send(message) : sendAfter(message, caller.waitsUntil + settleMilliseconds);
			track(sending, ending.signal);
		},
		release: waiting.release,
		async stop() {
			ending.abort();
			await inFlight.whenEmpty();
		},
	};
}

/** The message to the caller of an event. */
async function findMessage(journal: Pick<Journal, 'listMessages'>, eventId: string) {
	return (await journal.listMessages({eventId, limit: maxOfEvent})).find(({target}) => target === callerTarget);
}

/** Reads the journal for the result of a run that another gateway has taken, while the request waits. */
async function followJournal(
	eventId: string,
	{journal, clock, waiting, send, signal}: CallersOptions & {readonly signal: AbortSignal},
): Promise<void> {
	while (waiting.isWaiting(eventId)) {
		await sleep(clock, pollMilliseconds, signal);
		const message = await findMessage(journal, eventId);
		if (message?.state === 'pending') {
			await send(message);
		}
	}
}

/** The text for a caller; undefined when there is no result, and nowhere to say so. */
function textOf(result: EventResult, {later}: EventCaller): string | undefined {
	const text = result.kind === 'text' ? result.text : later && fixedTexts[result.kind];
	const answers = Object.entries(presets).find(([name]) => name === later?.preset)?.[1].answers;
	return text === undefined || !answers ? text : cutText(text, answers.maximumCharacters);
}
