import {type Clock} from '../util/clock.ts';

/** A request that waits for a person: an identifier and a deadline, times in milliseconds since the epoch. */
type PendingRequest = {readonly id: string; readonly requestedAt: number; readonly expiresAt: number};

/** Requests that wait for an answer of a person. */
type PendingRequests<Request extends PendingRequest, Event, Outcome> = {
	/**
	Does what a request needs before it can wait. From then on it counts; it is to wait or to be refused next, unless this rejects. Resolves with the
	request, whose time begins when that is done: a journal that is away costs it nothing.
	*/
	readonly prepare: (request: Request, work: () => Promise<void>) => Promise<Request>;
	/** The number of requests that wait or are prepared. */
	readonly count: () => number;
	/** Announces the request and waits until something settles it: an answer, its deadline, the signal, a withdrawal. */
	readonly wait: (request: Request, signal: AbortSignal | undefined) => Promise<Outcome>;
	/** Ends a waiting request. False when it has ended already or never was. */
	readonly settle: (id: string, event: Event) => boolean;
	/** Ends a request that was never announced. */
	readonly refuse: (request: Request, event: Event) => Outcome;
	readonly find: (id: string) => Request | undefined;
	/** Oldest first. */
	readonly list: () => readonly Request[];
	/** Withdraws what matches. */
	readonly withdraw: (matches: (request: Request) => boolean) => void;
	/** True if nobody waits for an answer any more: the caller went away, or the list is closed. */
	readonly isOver: (signal: AbortSignal | undefined) => boolean;
	/** Withdraws everything; from then on it is over for everybody. */
	readonly close: () => void;
};

/** A longer write is no part of the time that a person has. */
const longMilliseconds = 1000;

/** Opens an empty list. The first event decides about a request; later ones find it gone. */
export function createPendingRequests<Request extends PendingRequest, Event, Outcome>(options: {
	readonly clock: Clock;
	readonly outcomeOf: (event: Event) => Outcome;
	readonly deadlinePassed: Event;
	readonly withdrawn: Event;
	/** The time after the deadline of a request in which an answer that was in time may still arrive. */
	readonly lateMilliseconds?: (() => number) | undefined;
	readonly announce: (request: Request) => void;
	readonly onSettled: (request: Request, outcome: Outcome) => void;
}): PendingRequests<Request, Event, Outcome> {
	const {clock, outcomeOf, lateMilliseconds = () => 0, announce, onSettled} = options;
	const entries = new Map<string, {readonly request: Request; readonly conclude: (event: Event) => void}>();

	const preparations = createPreparations<Request>(clock);
	let phase: 'open' | 'closed' = 'open';

	/** The only way out of the list. Taking the entry away first lets exactly one event decide. */
	const settle = (id: string, event: Event): boolean => {
		const entry = entries.get(id);
		entries.delete(id);
		entry?.conclude(event);
		return entry !== undefined;
	};

	const list = () => Array.from(entries.values(), entry => entry.request);
	const withdraw = (matches: (request: Request) => boolean) => {
		for (const {id} of list().filter(request => matches(request))) {
			settle(id, options.withdrawn);
		}
	};

	return {
		settle,
		list,
		withdraw,
		isOver: signal => phase === 'closed' || signal?.aborted === true,
		close() {
			phase = 'closed';
			withdraw(() => true);
		},
		prepare: preparations.add,
		count: () => entries.size + preparations.count(),
		wait: (request, signal) =>
			new Promise(resolve => {
				preparations.delete(request);
				const onAbort = () => void settle(request.id, options.withdrawn);
				const onDeadline = () => void settle(request.id, options.deadlinePassed);
				const deadline = clock.after(request.expiresAt - request.requestedAt + lateMilliseconds(), onDeadline);
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
			preparations.delete(request);
			const outcome = outcomeOf(event);
			onSettled(request, outcome);
			return outcome;
		},
		find: id => entries.get(id)?.request,
	};
}

/** The requests that are prepared, and wait or are refused next. */
function createPreparations<Request extends PendingRequest>(clock: Pick<Clock, 'elapsed'>) {
	const ids = new Set<string>();
	return {
		add: async (request: Request, work: () => Promise<void>): Promise<Request> => {
			const {id, requestedAt, expiresAt} = request;
			const before = clock.elapsed();
			ids.add(id);
			try {
				await work();
			} catch (caught) {
				ids.delete(id);
				throw caught;
			}

			const waited = Math.round(clock.elapsed() - before);
			return waited < longMilliseconds
				? request
				: {...request, requestedAt: requestedAt + waited, expiresAt: expiresAt + waited};
		},
		delete: ({id}: Pick<PendingRequest, 'id'>) => void ids.delete(id),
		count: () => ids.size,
	};
}
