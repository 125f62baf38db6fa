import {type Clock, type Timer} from '../util/clock.ts';
import {type GatewayEvent} from './event.ts';
import {createGatheredSnapshot} from './gathered-snapshot.ts';
import {emptySnapshot, type Snapshot} from './snapshot.ts';

/** The state that a dashboard draws. `getSnapshot` returns the same object until something changes on screen. */
export type Store = {
	readonly publish: (event: GatewayEvent) => void;
	/** Replaces all that was published before, as a gateway of another process has it. */
	readonly replace: (snapshot: Snapshot) => void;
	readonly getSnapshot: () => Snapshot;
	/** Calls `listener` after each flush; the returned function ends that. */
	readonly subscribe: (listener: () => void) => () => void;
	/** Drops the timer. Nothing is flushed afterwards. */
	readonly close: () => void;
};

export type StoreOptions = {
	readonly clock: Clock;
	/** True while nothing may be drawn, because the terminal has not taken the last bytes. */
	readonly isBlocked: () => boolean;
};

const flushMilliseconds = 100;
/** While frames would take time that others need, one a second is enough. */
const slowestFlushMilliseconds = 1000;
/** The process is too busy for ten frames a second when a timer fires later than this share of the time between two. */
const tolerableLateness = 1 / 10;
/** More than anybody can follow: ten frames a second would only take the time of those who send them (docs/performance.md, Webhooks). */
const floodPerSecond = 500;
/** Urgent events are shown at once, but a storm of them may not draw more often than this. */
const urgentGapMilliseconds = 50;
const pendingLimit = 1000;

/** Opens a store. Events, log and counters become visible within 100 ms, or a second in a flood or a busy process; states a person waits for at once. */
export function createStore(options: StoreOptions): Store {
	const {clock, isBlocked} = options;
	const listeners = new Set<() => void>();
	const gathered = createGatheredSnapshot(pendingLimit);
	let shown: Snapshot = emptySnapshot;
	let scheduled: {readonly at: number; readonly timer: Timer} | undefined;
	let flushedAt = -flushMilliseconds;
	const flushGap = createFlushGap();
	let closed = false;

	const schedule = (delay: number) => {
		const at = clock.elapsed() + delay;
		if (closed || (scheduled && scheduled.at <= at)) {
			return;
		}

		scheduled?.timer.cancel();
		scheduled = {at, timer: clock.after(delay, flush)};
	};

	const flush = () => {
		flushGap.flushed({now: clock.elapsed(), due: scheduled?.at});
		scheduled = undefined;
		if (closed) {
			return;
		}

		if (isBlocked()) {
			schedule(flushMilliseconds);
			return;
		}

		const next = gathered.current();
		flushedAt = clock.elapsed();
		if (shown !== next) {
			shown = next;
			for (const listener of listeners) {
				listener();
			}
		}
	};

	return {
		publish(event) {
			gathered.push(event);
			flushGap.count();

			// In a stream the next flush is scheduled already; what can wait for it need not read the clock.
			if (scheduled && !isUrgent(event)) {
				return;
			}

			const sinceFlush = clock.elapsed() - flushedAt;
			schedule(
				isUrgent(event)
					? Math.max(0, urgentGapMilliseconds - sinceFlush)
					: Math.max(flushMilliseconds, flushGap.gap() - sinceFlush),
			);
		},
		replace(snapshot) {
			gathered.replace(snapshot);
			schedule(Math.max(0, urgentGapMilliseconds - (clock.elapsed() - flushedAt)));
		},
		getSnapshot: () => shown,
		subscribe(listener) {
			listeners.add(listener);
			return () => void listeners.delete(listener);
		},
		close() {
			closed = true;
			scheduled?.timer.cancel();
			scheduled = undefined;
		},
	};
}

/** The delay of the next flush: longer if a frame would take time from others. */
type FlushGap = {
	/** Counts one event. */
	readonly count: () => void;
	/** `due` is when the flush was to be. Both are milliseconds of the measuring clock. */
	readonly flushed: (flush: {readonly now: number; readonly due: number | undefined}) => void;
	/** Milliseconds from one flush to the next. */
	readonly gap: () => number;
};

/** Creates the gap between flushes. The rate of events is measured over a full second, so that a burst slows nothing down. */
function createFlushGap(): FlushGap {
	let events = 0;
	let since = 0;
	let isFlood = false;
	let gap: number = flushMilliseconds;
	return {
		count: () => void events++,
		flushed({now, due = now}) {
			const seconds = (now - since) / 1000;
			if (seconds >= 1) {
				isFlood = events > floodPerSecond * seconds;
				events = 0;
				since = now;
			}

			const restful = Math.max(flushMilliseconds, (now - due) / tolerableLateness);
			gap = isFlood ? slowestFlushMilliseconds : Math.min(restful, slowestFlushMilliseconds);
		},
		gap: () => gap,
	};
}

/** States a person acts on; the rest can wait for the next flush. */
export function isUrgent(event: GatewayEvent): boolean {
	switch (event.type) {
		case 'gateway.started':
		case 'gateway.draining':
		case 'gateway.stopped':
		case 'config.state':
		case 'fault.state':
		case 'hold.state':
		case 'server.state':
		case 'server.removed':
		case 'webhook.state':
		case 'approval.requested':
		case 'approval.deadline':
		case 'approval.settled':
		case 'login.state':
		case 'proposal.asked':
		case 'proposal.settled':
		case 'question.asked':
		case 'remote.sent':
		case 'question.deadline':
		case 'question.finished':
		case 'question.settled':
		case 'call.uncertain':
		case 'call.resolved':
		case 'view.console':
		case 'view.tools':
		case 'view.server-calls':
		case 'view.rules':
		case 'view.askers':
		case 'view.rehearsal':
		case 'view.rule-proposal':
		case 'view.page':
		case 'view.trace':
		case 'view.older-events':
		case 'view.call':
			return true;
		case 'tool.started':
		case 'tool.progress':
		case 'tool.finished':
		case 'webhook.settled':
		case 'run.state':
		case 'run.text':
		case 'run.step':
		case 'run.note':
		case 'cron.job':
		case 'cron.removed':
		case 'cron.fired':
		case 'cron.dropped':
		case 'route.state':
		case 'route.removed':
		case 'platform.state':
		case 'delivery.failing':
		case 'delivery.cleared':
		case 'model.state':
		case 'endpoint.state':
		case 'limits.state':
		case 'delivery.started':
		case 'delivery.settled':
		case 'rates.restored':
		case 'log':
			return false;
	}
}
