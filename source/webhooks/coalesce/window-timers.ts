import {type WindowName} from '../../journal/journal.ts';
import {type Clock, type Timer} from '../../util/clock.ts';
import {dueAt, type Group, type GroupEvent, type GroupTiming, nextGroup} from './coalesce-group.ts';

/** Knows when each open window is over. */
export type WindowTimers = {
	/** An event came: its window opens, or its quiet time begins anew. */
	readonly arrived: (window: WindowName, timing: GroupTiming) => void;
	/** A window that is open already; the ages say how long ago its first and its latest event came, in milliseconds. */
	readonly opened: (
		window: WindowName,
		timing: GroupTiming,
		age: {readonly first: number; readonly last: number},
	) => void;
	/** Forgets all of them. */
	readonly clear: () => void;
};

/** Opens the timers. `onOver` is told of each window that has waited enough. */
export function createWindowTimers(clock: Clock, onOver: (window: WindowName) => void): WindowTimers {
	const open = new Map<string, {readonly group: Group; readonly timer: Timer}>();
	const enter = (window: WindowName, group: Group, timing: GroupTiming) => {
		const id = idOf(window);
		open.get(id)?.timer.cancel();
		open.delete(id);
		if (group.kind === 'pending') {
			const look = () => step(window, {kind: 'time', at: clock.elapsed()}, timing);
			open.set(id, {group, timer: clock.after(dueAt(group, timing) - clock.elapsed(), look)});
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
