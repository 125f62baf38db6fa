import {type Deliver, deliveryNames} from '../delivery/deliver.ts';
import {type ResponseEnd} from '../state/event-caller.ts';
import {type Publish} from '../state/event.ts';
import {type Clock, openDeadline, untilAborted} from '../util/clock.ts';
import {Problem} from '../util/problem.ts';

/** The result for a request that waits. `onResponseEnd` is called once its response ended. */
export type CallerResult = {readonly text: string; readonly onResponseEnd: (end: ResponseEnd) => void};

/** The requests of this process that wait for the results of their events, by the ids of the events. */
export type WaitingCallers = {
	/** Waits for the result; undefined when the signal aborts first, when the wait is ended, and at once when too many wait. */
	readonly wait: (eventId: string, signal: AbortSignal) => Promise<CallerResult | undefined>;
	readonly isWaiting: (eventId: string) => boolean;
	/** Gives the result to the request and resolves with the end of its response; undefined when it waits no more. */
	readonly give: (eventId: string, text: string) => Promise<ResponseEnd> | undefined;
	/** Ends a wait without a result. */
	readonly release: (eventId: string) => void;
	/** Ends all waits, also later ones. */
	readonly stop: () => void;
};

/** The most requests that may wait at once. */
const maxWaiting = 256;
/** Longest time in which a response is written. */
const writeMilliseconds = 10_000;

/** Creates them; none waits yet. */
export function createWaitingCallers(clock: Clock): WaitingCallers {
	const waiting = new Map<string, (result: CallerResult | undefined) => void>();
	let phase: 'open' | 'stopped' = 'open';
	const release = (eventId: string) => waiting.get(eventId)?.(undefined);
	return {
		async wait(eventId, signal) {
			if (phase === 'stopped' || waiting.size >= maxWaiting || signal.aborted) {
				return undefined;
			}

			const {promise, resolve} = Promise.withResolvers<CallerResult | undefined>();
			const end = (result: CallerResult | undefined) => {
				waiting.delete(eventId);
				signal.removeEventListener('abort', onAbort);
				resolve(result);
			};

			const onAbort = () => end(undefined);
			signal.addEventListener('abort', onAbort, {once: true});
			waiting.set(eventId, end);
			return promise;
		},
		isWaiting: eventId => waiting.has(eventId),
		give(eventId, text) {
			const end = waiting.get(eventId);
			if (!end) {
				return undefined;
			}

			const {promise, resolve} = Promise.withResolvers<ResponseEnd>();
			const deadline = openDeadline(clock, writeMilliseconds, {
				reason: () => new Error('The response was not written'),
			});
			end({text, onResponseEnd: resolve});
			return untilAborted(promise, deadline.signal)
				.catch(() => 'cut' as const)
				.finally(deadline.cancel);
		},
		release,
		stop() {
			phase = 'stopped';
			[...waiting.keys()].forEach(release);
		},
	};
}

/** Writes a message to a caller whose request waits here as its response. Any other message is delivered. */
export function deliverToWaiting(
	deliver: Deliver,
	{waiting, publishOf}: {readonly waiting: WaitingCallers; readonly publishOf: (profile?: string) => Publish},
): Deliver {
	return async (delivery, options) => {
		const end = delivery.caller && (await waiting.give(delivery.eventId ?? '', delivery.text));
		if (end === undefined || end === 'gone') {
			return deliver(delivery, options);
		}

		const publish = publishOf(delivery.profile);
		const names = deliveryNames(delivery);
		if (end === 'flushed') {
			publish({type: 'delivery.settled', ...names, outcome: 'delivered'});
			return {kind: 'delivered', target: delivery.target};
		}

		const problem = new Problem('outcome_uncertain', {
			message: 'The delivery was not confirmed; it may have arrived',
			detail: 'it may have arrived: the connection of the caller was closed while the answer was written',
		});
		publish({type: 'delivery.settled', ...names, outcome: 'outcome_uncertain', code: problem.code});
		return {kind: 'uncertain', problem};
	};
}
