import {createHash} from 'node:crypto';
import {type Journal, type WindowName} from '../../journal/journal.ts';
import {type Publish} from '../../state/event.ts';
import {type Clock, type Timer} from '../../util/clock.ts';
import {memoize} from '../../util/memoize.ts';
import {createLogLines} from '../http/log-lines.ts';
import {compileField, type Subject} from '../payload/field-path.ts';
import {renderComplete, type TemplateScope} from '../template/template.ts';
import {dueAt, type Group, type GroupEvent, type GroupTiming, nextGroup} from './coalesce-group.ts';

/** Turns bursts of events into single runs. The waiting events are in the journal; this only tracks when each window is over. */
export type Coalescer = {
	/** An event was stored in this window. */
	readonly arrived: (window: WindowName, timing: GroupTiming) => void;
	/** Resumes the windows left open by an earlier process, or by another gateway that is gone; those whose route no longer coalesces are closed (docs/webhook-routes.md, Coalescing). Never rejects. */
	readonly resume: (timingOf: (route: string) => GroupTiming | undefined) => Promise<void>;
	/** Dispatches all waiting events; those of a shared journal wait until they are due. Never rejects: a run that cannot be dispatched stays in the journal for the next start. */
	readonly flush: () => Promise<void>;
	/** The same, and later events are dispatched at once; those of a shared journal are left to other gateways, or to the next start. */
	readonly close: () => Promise<void>;
};

/** Dependencies for dispatching a window. */
type FlushOptions = {
	readonly journal: Pick<Journal, 'takeWindow' | 'takeDueWindow' | 'listWindows'>;
	/** True if other gateways may have the journal, too: then no window is closed before it is due. */
	readonly isShared: () => boolean;
	/** Called when a run was queued, by this try or by one before. */
	readonly wakeRuns: () => void;
	readonly publish: Publish;
};

/** Tracks when each open window is over. */
type WindowTimers = {
	/** An event arrived: opens its window, or restarts its quiet time. */
	readonly arrived: (window: WindowName, timing: GroupTiming) => void;
	/** Resumes an open window; the ages are the milliseconds since its first and its latest event. */
	readonly opened: (
		window: WindowName,
		timing: GroupTiming,
		age: {readonly first: number; readonly last: number},
	) => void;
	/** Forgets all windows. */
	readonly clear: () => void;
};

const retryMilliseconds = 5000;

/** Creates the coalescer with no waiting events. */
export function createCoalescer(options: FlushOptions & {readonly clock: Clock}): Coalescer {
	const {journal, isShared, clock, publish} = options;
	const report = createLogLines(publish).error;
	let isClosed = false;
	/** One for each window, however often it is found open. */
	const tries = new Map<string, Timer>();
	const again = (milliseconds: number, window: WindowName) => {
		const id = idOf(window);
		tries.get(id)?.cancel();
		const timer = clock.after(milliseconds, () => {
			tries.delete(id);
			if (!isClosed) {
				void dispatch(window);
			}
		});
		tries.set(id, timer);
	};

	const dispatch = async (window: WindowName): Promise<void> => {
		try {
			const dueIn = await queueWindow(window, options);
			if (dueIn !== undefined) {
				again(dueIn, window);
			}
		} catch (error) {
			report(error);
			again(retryMilliseconds, window);
		}
	};

	const timers = createWindowTimers(clock, window => void dispatch(window));
	const flush = async () => {
		if (!isShared()) {
			timers.clear();
			await flushWindows(options);
		}
	};

	return {
		arrived(window, timing) {
			if (isClosed) {
				void dispatch(window);
			} else {
				timers.arrived(window, timing);
			}
		},
		async resume(timingOf) {
			try {
				for (const {firstAt, lastAt, ...window} of await journal.listWindows()) {
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
			timers.clear();
			await flush();
		},
	};
}

/** Dispatches every open window, for a stop and for a gateway without an adapter; of a shared journal, those that are due. Never rejects. */
export async function flushWindows(options: FlushOptions): Promise<void> {
	try {
		const windows = await options.journal.listWindows();
		await Promise.all(windows.map(window => queueWindow(window, options)));
	} catch (error) {
		createLogLines(options.publish).error(error);
	}
}

/** Queues the run of a window, unless it already was; resolves with the milliseconds until it is due when it is not, in a shared journal. */
async function queueWindow(
	{route, key}: WindowName,
	{journal, isShared, wakeRuns}: FlushOptions,
): Promise<number | undefined> {
	const dueIn = isShared() ? await journal.takeDueWindow({route, key}) : void (await journal.takeWindow({route, key}));
	// An earlier try can have queued the run without anybody knowing.
	wakeRuns();
	return dueIn;
}

/** The wall clock may have jumped while no gateway ran: an age is never negative. */
function age(clock: Clock, time: number): number {
	return Math.max(0, clock.now() - time);
}

/** Creates the timers. `onOver` is called for each window that has waited long enough. */
function createWindowTimers(clock: Clock, onOver: (window: WindowName) => void): WindowTimers {
	const open = new Map<string, {readonly group: Group; readonly timer: Timer}>();
	const enter = (window: WindowName, group: Group, timing: GroupTiming) => {
		const id = idOf(window);
		open.get(id)?.timer.cancel();
		open.delete(id);
		if (group.kind === 'pending') {
			const check = () => step(window, {kind: 'time', at: clock.elapsed()}, timing);
			open.set(id, {group, timer: clock.after(dueAt(group, timing) - clock.elapsed(), check)});
		}
	};

	const step = (window: WindowName, event: GroupEvent, timing: GroupTiming) => {
		const next = nextGroup(open.get(idOf(window))?.group ?? {kind: 'none'}, event, timing);
		enter(window, next.group, timing);
		if (next.dispatch) {
			onOver(window);
		}
	};

	return {
		arrived: (window, timing) => step(window, {kind: 'arrived', at: clock.elapsed()}, timing),
		opened(window, timing, {first, last}) {
			const now = clock.elapsed();
			enter(window, {kind: 'pending', firstAt: now - first, lastAt: now - last}, timing);
		},
		clear() {
			for (const {timer} of open.values()) {
				timer.cancel();
			}

			open.clear();
		},
	};
}

function idOf({route, key}: WindowName): string {
	return JSON.stringify([route, key]);
}

const longestKeyCharacters = 256;
const fieldReader = memoize(compileField);

/**
The entity of an event, or undefined when the key does not resolve: a value is missing, null or blank.
A key with braces is a template, any other a field path as in filters (docs/webhooks.md, Routes and profiles).
*/
export function coalesceKey(key: string, scope: TemplateScope, headers: Subject['headers']): string | undefined {
	const text = key.includes('{') ? renderComplete(key, scope) : fieldText(key, {...scope, headers});
	if (text === undefined || text.trim() === '') {
		return undefined;
	}

	// Hashed, so that two long keys with the same beginning stay distinct.
	return text.length > longestKeyCharacters ? `sha256:${createHash('sha256').update(text).digest('hex')}` : text;
}

function fieldText(field: string, subject: Subject): string | undefined {
	const value = fieldReader(field)(subject);
	return value === undefined || value === null || typeof value === 'string'
		? (value ?? undefined)
		: JSON.stringify(value);
}
