import {type Clock} from '../util/clock.ts';

/** What waits for a person: an identifier and a deadline, times in milliseconds since the epoch. */
export type PendingRequest = {readonly id: string; readonly requestedAt: number; readonly expiresAt: number};

/** Requests that wait for an answer of a person. */
export type PendingRequests<Request extends PendingRequest, Event, Outcome> = {
	/** Announces the request and waits until something settles it: an answer, its deadline, the signal, a withdrawal. */
	readonly wait: (request: Request, signal: AbortSignal | undefined) => Promise<Outcome>;
	/** Ends a waiting request. False when it has ended already or never was. */
	readonly settle: (id: string, event: Event) => boolean;
	/** Ends a request that was never announced. */
	readonly refuse: (request: Request, event: Event) => Outcome;
	readonly find: (id: string) => Request | undefined;
	/** Oldest first. */
	readonly list: () => readonly Request[];
};

/** Opens an empty list. The first event decides about a request; later ones find it gone. */
export function createPendingRequests<Request extends PendingRequest, Event, Outcome>(options: {
	readonly clock: Clock;
	readonly outcomeOf: (event: Event) => Outcome;
	readonly deadlinePassed: Event;
	readonly withdrawn: Event;
	readonly announce: (request: Request) => void;
	readonly onSettled: (request: Request, outcome: Outcome) => void;
}): PendingRequests<Request, Event, Outcome> {
	const {clock, outcomeOf, announce, onSettled} = options;
	const entries = new Map<string, {readonly request: Request; readonly conclude: (event: Event) => void}>();

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
