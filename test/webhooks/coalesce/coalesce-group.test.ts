import {expect, test} from 'vitest';
import {dueAt, type Group, type GroupEvent, nextGroup} from '../../../source/webhooks/coalesce/coalesce-group.ts';

const timing = {windowSeconds: 30, maxWaitSeconds: 300};
const none: Group = {kind: 'none'};
const pending = (firstAt: number, lastAt: number): Group => ({kind: 'pending', firstAt, lastAt});

test.each<{group: Group; event: GroupEvent; next: Group; dispatch: boolean}>([
	{group: none, event: {kind: 'arrived', at: 1000}, next: pending(1000, 1000), dispatch: false},
	{group: none, event: {kind: 'time', at: 1_000_000}, next: none, dispatch: false},
	{group: none, event: {kind: 'flushed'}, next: none, dispatch: false},
	// The quiet window starts over with each event; the longest wait does not.
	{group: pending(1000, 1000), event: {kind: 'arrived', at: 20_000}, next: pending(1000, 20_000), dispatch: false},
	{group: pending(1000, 1000), event: {kind: 'time', at: 30_999}, next: pending(1000, 1000), dispatch: false},
	{group: pending(1000, 1000), event: {kind: 'time', at: 31_000}, next: none, dispatch: true},
	{group: pending(1000, 20_000), event: {kind: 'time', at: 31_000}, next: pending(1000, 20_000), dispatch: false},
	{group: pending(1000, 290_000), event: {kind: 'time', at: 300_999}, next: pending(1000, 290_000), dispatch: false},
	{group: pending(1000, 290_000), event: {kind: 'time', at: 301_000}, next: none, dispatch: true},
	{group: pending(1000, 1000), event: {kind: 'flushed'}, next: none, dispatch: true},
])('$group + $event → $next, dispatched: $dispatch', ({group, event, next, dispatch}) => {
	expect(nextGroup(group, event, timing)).toEqual({group: next, dispatch});
});

test.each([
	{firstAt: 0, lastAt: 0, due: 30_000},
	{firstAt: 0, lastAt: 100_000, due: 130_000},
	{firstAt: 0, lastAt: 299_000, due: 300_000},
])('a group from $firstAt to $lastAt is due at $due', ({firstAt, lastAt, due}) => {
	expect(dueAt({kind: 'pending', firstAt, lastAt}, timing)).toBe(due);
});
