/** The waiting events of one route and key. Times are milliseconds of the measuring clock. */
export type Group = {readonly kind: 'none'} | PendingGroup;

/** `firstAt` and `lastAt`: when its first and its latest event arrived. */
type PendingGroup = {readonly kind: 'pending'; readonly firstAt: number; readonly lastAt: number};

/** The events of a group. `time`: the clock has advanced. `flushed`: the adapter disconnects. */
export type GroupEvent =
	| {readonly kind: 'arrived'; readonly at: number}
	| {readonly kind: 'time'; readonly at: number}
	| {readonly kind: 'flushed'};

/** The time limits of a group. */
export type GroupTiming = {readonly windowSeconds: number; readonly maxWaitSeconds: number};

/** The next state of a group, and whether its run is dispatched (docs/webhook-routes.md, Coalescing). */
export function nextGroup(
	group: Group,
	event: GroupEvent,
	timing: GroupTiming,
): {readonly group: Group; readonly dispatch: boolean} {
	switch (event.kind) {
		case 'arrived': {
			const {at} = event;
			const firstAt = group.kind === 'pending' ? group.firstAt : at;
			return {group: {kind: 'pending', firstAt, lastAt: at}, dispatch: false};
		}

		case 'time':
			return group.kind === 'pending' && event.at >= dueAt(group, timing) ? dispatched : {group, dispatch: false};
		case 'flushed':
			return group.kind === 'pending' ? dispatched : {group, dispatch: false};
	}
}

const dispatched = {group: {kind: 'none'}, dispatch: true} as const;

/** When a group is due: after its quiet window, at the latest after the maximum wait. */
export function dueAt({firstAt, lastAt}: PendingGroup, {windowSeconds, maxWaitSeconds}: GroupTiming): number {
	return Math.min(lastAt + windowSeconds * 1000, firstAt + maxWaitSeconds * 1000);
}
