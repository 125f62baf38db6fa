import {type Clock} from '../util/clock.ts';

/** What waits for a person: an identifier and a deadline, in milliseconds since the epoch. */
export type PendingRequest = {readonly id: string; readonly requestedAt: number; readonly expiresAt: number};

/** Cards that wait for their end. */
export type PendingRequests<Card extends PendingRequest, Event, Outcome> = {
	/** Announces the card and waits until something settles it: an answer, its deadline, the signal, a withdrawal. */
	readonly wait: (request: Card, signal: AbortSignal | undefined) => Promise<Outcome>;
	/** Ends a waiting card. False when it has ended before or never was. */
	readonly settle: (id: string, event: Event) => boolean;
	/** Ends a card that was never announced. */
	readonly refuse: (request: Card, event: Event) => Outcome;
	readonly find: (id: string) => Card | undefined;
	/** Oldest first. */
	readonly list: () => readonly Card[];
};

/** Opens an empty list. The first event decides about a card; every later one finds it gone. */
export function createPendingRequests<Card extends PendingRequest, Event, Outcome>(options: {
	readonly clock: Clock;
	readonly outcomeOf: (event: Event) => Outcome;
	readonly deadlinePassed: Event;
	readonly withdrawn: Event;
	readonly announce: (request: Card) => void;
	readonly onSettled: (request: Card, outcome: Outcome) => void;
}): PendingRequests<Card, Event, Outcome> {
	const {clock, outcomeOf, announce, onSettled} = options;
	const entries = new Map<string, {readonly request: Card; readonly conclude: (event: Event) => void}>();

	/** The only way out of the list. Taking the entry away first lets exactly one event decide. */
	const settle = (id: string, event: Event): boolean => {
		const entry = entries.get(id);
		entries.delete(id);
		entry?.conclude(event);
		return entry !== undefined;
	};

	return {
		settle,
		wait: (request, signal) =>
			new Promise(resolve => {
				const onAbort = () => void settle(request.id, options.withdrawn);
				const onDeadline = () => void settle(request.id, options.deadlinePassed);
				const deadline = clock.after(request.expiresAt - request.requestedAt, onDeadline);
				signal?.addEventListener('abort', onAbort, {once: true});
				entries.set(request.id, {
					request,
					conclude(event) {
						deadline.cancel();
						signal?.removeEventListener('abort', onAbort);
						const outcome = outcomeOf(event);
						resolve(outcome);
						onSettled(request, outcome);
					},
				});
				announce(request);
			}),
		refuse(request, event) {
			const outcome = outcomeOf(event);
			onSettled(request, outcome);
			return outcome;
		},
		find: id => entries.get(id)?.request,
		list: () => Array.from(entries.values(), entry => entry.request),
	};
}
