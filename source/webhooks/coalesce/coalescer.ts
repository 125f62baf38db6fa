import {type Journal, type RunRecord, type WindowName} from '../../journal/journal.ts';
import {type Publish} from '../../state/event.ts';
import {type Clock} from '../../util/clock.ts';
import {type GroupTiming} from './coalesce-group.ts';
import {createLogLines} from '../http/log-lines.ts';
import {createWindowTimers} from './window-timers.ts';

/** Turns bursts into runs. What waits is in the journal; here is only when it is over. */
export type Coalescer = {
	/** An event was kept in this window. */
	readonly arrived: (window: WindowName, timing: GroupTiming) => void;
	/** Takes up the windows a former process left open; those whose route coalesces no more are over (docs/webhooks.md, Coalescing). Never throws. */
	readonly resume: (timingOf: (route: string) => GroupTiming | undefined) => void;
	/** Dispatches everything that waits. Never rejects: what cannot be dispatched stays in the journal for the next start. */
	readonly flush: () => Promise<void>;
	/** The same, and whatever still arrives is dispatched at once. */
	readonly close: () => Promise<void>;
};

/** What dispatching a window needs. */
export type FlushOptions = {
	readonly journal: Pick<Journal, 'takeWindow' | 'listWindows'>;
	/** Told that a run was queued. */
	readonly wakeRuns: () => void;
	readonly publish: Publish;
};

const retryMilliseconds = 5000;

/** Opens the coalescer; nothing waits yet. */
export function createCoalescer(options: FlushOptions & {readonly clock: Clock}): Coalescer {
	const {journal, clock, publish} = options;
	const report = createLogLines(publish).error;
	let isClosed = false;
	const dispatch = async (window: WindowName) => {
		try {
			await queueWindow(window, options);
		} catch (error) {
			report(error);
			clock.after(retryMilliseconds, () => {
				if (!isClosed) {
					void dispatch(window);
				}
			});
		}
	};

	const timers = createWindowTimers(clock, window => void dispatch(window));
	const flush = async () => {
		timers.clear();
		await flushWindows(options);
	};

	return {
		arrived(window, timing) {
			if (isClosed) {
				void dispatch(window);
			} else {
				timers.arrived(window, timing);
			}
		},
		resume(timingOf) {
			try {
				for (const {firstAt, lastAt, ...window} of journal.listWindows()) {
					const timing = timingOf(window.route);
					if (timing) {
						timers.opened(window, timing, {first: age(clock, firstAt), last: age(clock, lastAt)});
					} else {
						void dispatch(window);
					}
				}
			} catch (error) {
				report(error);
			}
		},
		flush,
		async close() {
			isClosed = true;
			await flush();
		},
	};
}

/** Dispatches every open window, for a stop and for a start without an adapter. Never rejects. */
export async function flushWindows(options: FlushOptions): Promise<void> {
	try {
		await Promise.all(options.journal.listWindows().map(window => queueWindow(window, options)));
	} catch (error) {
		createLogLines(options.publish).error(error);
	}
}

/** Says how many earlier events the latest one stands for, when it stands for any (docs/webhooks.md, Coalescing). */
export function withNote(run: RunRecord, superseded: number): RunRecord {
	const events = superseded === 1 ? '1 earlier event' : `${superseded} earlier events`;
	return superseded === 0
		? run
		: {...run, prompt: `${run.prompt}\n\n(Superseded by this event: ${events} about the same entity.)`};
}

/** Queues what waits in a window; one that is dispatched already is none. */
async function queueWindow(
	{route, key}: WindowName,
	{journal, wakeRuns}: Pick<FlushOptions, 'journal' | 'wakeRuns'>,
): Promise<void> {
	if (await journal.takeWindow({route, key}, withNote)) {
		wakeRuns();
	}
}

/** The wall clock may have jumped while nobody ran: an age is never negative. */
function age(clock: Clock, time: number): number {
	return Math.max(0, clock.now() - time);
}
