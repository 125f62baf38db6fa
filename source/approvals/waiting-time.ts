import {type RequestDeadline} from '../state/approval-event.ts';
import {type GatewayEventBody} from '../state/event.ts';
import {type Clock, type Timer} from '../util/clock.ts';

/** The time that something has: so many milliseconds outside of holds, or up to a time in milliseconds since the epoch, held or not. */
export type TimeLimit =
	| {readonly kind: 'for'; readonly milliseconds: number}
	| {readonly kind: 'until'; readonly at: number};

/** A timer that stands still while everything is held, unless it has a time of its own to end at. */
export type WaitingTimer = Timer & {
	/** The same value until a hold begins or ends. */
	readonly deadline: () => RequestDeadline;
	/** Lets it run so much longer; without effect on one that ends at its own time. */
	readonly prolong: (milliseconds: number) => void;
};

/** The time in which persons are waited for: it stands still while everything is held (docs/approvals.md, Hold). */
export type WaitingTime = {
	readonly state: () => 'running' | 'suspended';
	/** The deadline of a limit that begins now. */
	readonly deadlineOf: (limit: TimeLimit) => RequestDeadline;
	/** Runs `callback` once when the limit is over. */
	readonly after: (limit: TimeLimit, callback: () => void) => WaitingTimer;
	/** Calls `listener` after each change, until the returned function is called. */
	readonly onChange: (listener: () => void) => () => void;
};

/** The time of a gateway, and what its hold does to it. Twice the same does nothing. */
type ControlledTime = WaitingTime & {readonly suspend: () => void; readonly resume: () => void};

/** Creates a time that runs. */
export function createWaitingTime(clock: Pick<Clock, 'now' | 'elapsed' | 'after'>): ControlledTime {
	const timers = new Set<SuspendableTimer>();
	const listeners = new Set<() => void>();
	let state: ReturnType<WaitingTime['state']> = 'running';
	const change = (next: typeof state) => {
		if (state !== next) {
			state = next;
			timers.forEach(timer => (next === 'running' ? timer.start() : timer.stop()));
			[...listeners].forEach(listener => listener());
		}
	};

	return {
		state: () => state,
		suspend: () => change('suspended'),
		resume: () => change('running'),
		deadlineOf(limit) {
			if (limit.kind === 'until') {
				return {expiresAt: limit.at};
			}

			const {milliseconds} = limit;
			return state === 'running' ? {expiresAt: clock.now() + milliseconds} : {expiresAt: null, left: milliseconds};
		},
		after(limit, callback) {
			if (limit.kind === 'until') {
				const {cancel} = clock.after(limit.at - clock.now(), callback);
				return {cancel, deadline: () => ({expiresAt: limit.at}), prolong: () => undefined};
			}

			const timer = createSuspendableTimer(clock, limit.milliseconds, () => {
				timers.delete(timer);
				callback();
			});
			timers.add(timer);
			if (state === 'running') {
				timer.start();
			}

			return {
				deadline: timer.deadline,
				prolong: more => timers.has(timer) && timer.prolong(more),
				cancel() {
					timers.delete(timer);
					timer.stop();
				},
			};
		},
		onChange(listener) {
			listeners.add(listener);
			return () => void listeners.delete(listener);
		},
	};
}

type SuspendableTimer = ReturnType<typeof createSuspendableTimer>;

/** A timer that does not run at first. */
function createSuspendableTimer(
	clock: Pick<Clock, 'now' | 'elapsed' | 'after'>,
	milliseconds: number,
	callback: () => void,
) {
	let deadline: RequestDeadline = {expiresAt: null, left: milliseconds};
	let left = milliseconds;
	let since = 0;
	let timer: Timer | undefined;
	const start = () => {
		since = clock.elapsed();
		timer = clock.after(left, callback);
		deadline = {expiresAt: clock.now() + left};
	};

	const stop = () => {
		if (timer) {
			timer.cancel();
			timer = undefined;
			left = Math.max(0, Math.ceil(left - (clock.elapsed() - since)));
			deadline = {expiresAt: null, left};
		}
	};

	return {
		start,
		stop,
		deadline: () => deadline,
		prolong(more: number) {
			const isRunning = timer !== undefined;
			stop();
			left += more;
			deadline = {expiresAt: null, left};
			if (isRunning) {
				start();
			}
		},
	};
}

/** The event of a deadline that has changed. */
export function deadlineEvent(
	kind: 'approval' | 'question',
	{id, expiresAt, left}: RequestDeadline & {readonly id: string},
): GatewayEventBody {
	return {type: `${kind}.deadline`, id, expiresAt, ...(left !== undefined && {left})};
}
