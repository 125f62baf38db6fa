import {type RequestDeadline} from '../state/approval-event.ts';
import {type Clock, type Timer} from '../util/clock.ts';
import {orderedId} from '../util/random-id.ts';
import {type TimeLimit, type WaitingTime, type WaitingTimer} from './waiting-time.ts';

/** A request that waits for a person: an identifier, its time in milliseconds since the epoch, and a deadline. */
type PendingRequest = RequestDeadline & {readonly id: string; readonly requestedAt: number};

/** Requests that wait for an answer of a person. */
type PendingRequests<Request extends PendingRequest, Event, Outcome> = {
	/**
	Does what a request needs before it can wait. From then on it counts; it is to wait or to be refused next, unless this rejects. Resolves with the
	request, asked when that is done: a journal that is away costs it nothing.
	*/
	readonly prepare: (request: Request, work: () => Promise<void>) => Promise<Request>;
	/** The members that a request gets when it is asked, here with an id of its own where it has none. */
	readonly asked: (options: {
		readonly limit: TimeLimit;
		readonly node: string | undefined;
		readonly id?: string | undefined;
	}) => PendingRequest & {readonly node?: string};
	/** The number of requests that wait or are prepared. */
	readonly count: () => number;
	/** Announces the request and waits until something settles it: an answer, the end of its time, which begins now, the signal, a withdrawal. */
	readonly wait: (
		request: Request,
		options: {readonly limit: TimeLimit; readonly signal: AbortSignal | undefined},
	) => Promise<Outcome>;
	/** Lets a request wait so many milliseconds in all, unless it may wait longer or has an end of its own. Without effect on one that does not wait. */
	readonly prolong: (id: string, milliseconds: number) => void;
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

type PendingOptions<Request, Event, Outcome> = {
	readonly clock: Clock;
	readonly time: WaitingTime;
	readonly outcomeOf: (event: Event) => Outcome;
	readonly deadlinePassed: Event;
	readonly withdrawn: Event;
	/** The time after the deadline of a request in which an answer that was in time may still arrive. */
	readonly lateMilliseconds?: (() => number) | undefined;
	readonly announce: (request: Request) => void;
	/** Called with the request when its deadline has changed: a hold began or ended, or it may wait longer. */
	readonly onDeadline: (request: Request) => void;
	readonly onSettled: (request: Request, outcome: Outcome) => void;
};

/** Opens an empty list. The first event decides about a request; later ones find it gone. */
export function createPendingRequests<Request extends PendingRequest, Event, Outcome>(
	options: PendingOptions<Request, Event, Outcome>,
): PendingRequests<Request, Event, Outcome> {
	const {clock, time, outcomeOf, withdrawn, onSettled} = options;
	const entries = createEntries(options);
	const preparations = createPreparations<Request>(clock);
	let phase: 'open' | 'closed' = 'open';
	const withdraw = (matches: (request: Request) => boolean) => {
		for (const {id} of entries.list().filter(request => matches(request))) {
			entries.settle(id, withdrawn);
		}
	};

	return {
		...entries,
		withdraw,
		isOver: signal => phase === 'closed' || signal?.aborted === true,
		close() {
			phase = 'closed';
			entries.close();
			withdraw(() => true);
		},
		asked({limit, node, id}) {
			const requestedAt = clock.now();
			const deadline = time.deadlineOf(limit);
			return {id: id ?? orderedId(requestedAt), requestedAt, ...deadline, ...(node !== undefined && {node})};
		},
		prepare: preparations.add,
		count: () => entries.list().length + preparations.count(),
		wait(request, waiting) {
			preparations.delete(request);
			return entries.wait(request, waiting);
		},
		refuse(request, event) {
			preparations.delete(request);
			const outcome = outcomeOf(event);
			onSettled(request, outcome);
			return outcome;
		},
	};
}

type Entry<Request, Event> = {
	request: Request;
	limit: TimeLimit;
	readonly timer: WaitingTimer;
	readonly conclude: (event: Event) => void;
};

/** The requests that wait. */
function createEntries<Request extends PendingRequest, Event, Outcome>(
	options: PendingOptions<Request, Event, Outcome>,
) {
	const {time, outcomeOf, announce, onDeadline, onSettled} = options;
	const entries = new Map<string, Entry<Request, Event>>();

	/** The only way out of the list. Taking the entry away first lets exactly one event decide. */
	const settle = (id: string, event: Event): boolean => {
		const entry = entries.get(id);
		entries.delete(id);
		entry?.conclude(event);
		return entry !== undefined;
	};

	const renew = (entry: Entry<Request, Event>) => {
		entry.request = {...entry.request, left: undefined, ...entry.timer.deadline()};
		onDeadline(entry.request);
	};

	const endListening = time.onChange(() => {
		const changed = [...entries.values()].filter(
			({request, timer}) => request.expiresAt !== timer.deadline().expiresAt,
		);
		changed.forEach(renew);
	});
	const wait: PendingRequests<Request, Event, Outcome>['wait'] = (asked, {limit, signal}) =>
		new Promise(resolve => {
			const {id} = asked;
			const onAbort = () => void settle(id, options.withdrawn);
			const timer = startTimer(options, limit, () => void settle(id, options.deadlinePassed));
			signal?.addEventListener('abort', onAbort, {once: true});
			const entry: Entry<Request, Event> = {
				request: {...asked, ...timer.deadline()},
				limit,
				timer,
				conclude(event) {
					timer.cancel();
					signal?.removeEventListener('abort', onAbort);
					const outcome = outcomeOf(event);
					resolve(outcome);
					onSettled(entry.request, outcome);
				},
			};
			entries.set(id, entry);
			announce(entry.request);
			if (entries.has(id) && (asked.expiresAt === null) !== (entry.request.expiresAt === null)) {
				// A hold began or ended while it was prepared.
				onDeadline(entry.request);
			}
		});

	return {
		settle,
		wait,
		find: (id: string) => entries.get(id)?.request,
		list: () => Array.from(entries.values(), entry => entry.request),
		prolong(id: string, milliseconds: number) {
			const entry = entries.get(id);
			if (entry?.limit.kind === 'for' && entry.limit.milliseconds < milliseconds) {
				entry.timer.prolong(milliseconds - entry.limit.milliseconds);
				entry.limit = {kind: 'for', milliseconds};
				renew(entry);
			}
		},
		close: endListening,
	};
}

/** Starts the time of a request; behind it runs the time in which an answer that was in time may arrive, held or not. */
function startTimer(
	{
		clock,
		time,
		lateMilliseconds = () => 0,
	}: {
		readonly clock: Clock;
		readonly time: WaitingTime;
		readonly lateMilliseconds?: (() => number) | undefined;
	},
	limit: TimeLimit,
	onOver: () => void,
): WaitingTimer {
	let late: Timer | undefined;
	const timer = time.after(limit, () => {
		const milliseconds = lateMilliseconds();
		if (milliseconds > 0) {
			late = clock.after(milliseconds, onOver);
		} else {
			onOver();
		}
	});
	return {
		...timer,
		cancel() {
			timer.cancel();
			late?.cancel();
		},
	};
}

/** The requests that are prepared, and wait or are refused next. */
function createPreparations<Request extends PendingRequest>(clock: Pick<Clock, 'elapsed'>) {
	const ids = new Set<string>();
	return {
		add: async (request: Request, work: () => Promise<void>): Promise<Request> => {
			const {id, requestedAt} = request;
			const before = clock.elapsed();
			ids.add(id);
			try {
				await work();
			} catch (caught) {
				ids.delete(id);
				throw caught;
			}

			const waited = Math.round(clock.elapsed() - before);
			return waited < longMilliseconds ? request : {...request, requestedAt: requestedAt + waited};
		},
		delete: ({id}: Pick<PendingRequest, 'id'>) => void ids.delete(id),
		count: () => ids.size,
	};
}
