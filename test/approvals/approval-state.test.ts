import {describe, expect, test} from 'vitest';
import {
	type ApprovalEvent,
	type ApprovalOutcome,
	type ApprovalState,
	nextApprovalState,
} from '../../source/approvals/approval-state.ts';

const events: ReadonlyArray<readonly [ApprovalEvent, ApprovalOutcome]> = [
	[
		{kind: 'answered', verdict: {kind: 'approve', scope: 'once'}, by: 'console:1'},
		{kind: 'approved', scope: 'once', by: 'console:1'},
	],
	[
		{kind: 'answered', verdict: {kind: 'approve', scope: 'session'}, by: 'console:1'},
		{kind: 'approved', scope: 'session', by: 'console:1'},
	],
	[
		{kind: 'answered', verdict: {kind: 'approve', scope: 'always'}, by: 'cli'},
		{kind: 'approved', scope: 'always', by: 'cli'},
	],
	[
		{kind: 'answered', verdict: {kind: 'deny'}, by: 'console:1'},
		{kind: 'denied', by: 'console:1'},
	],
	[
		{kind: 'answered', verdict: {kind: 'deny', message: 'not on Fridays'}, by: 'console:1'},
		{kind: 'denied', by: 'console:1', message: 'not on Fridays'},
	],
	[{kind: 'deadline-passed'}, {kind: 'timed_out'}],
	[
		{kind: 'unreachable', message: 'nobody is here'},
		{kind: 'no_channel', message: 'nobody is here'},
	],
	[{kind: 'withdrawn'}, {kind: 'cancelled'}],
];

const ends: readonly ApprovalState[] = [
	{kind: 'approved', scope: 'once', by: 'console:1'},
	{kind: 'denied', by: 'console:1'},
	{kind: 'timed_out'},
	{kind: 'no_channel'},
	{kind: 'cancelled'},
];

describe('a pending approval', () => {
	test.each(events)('ends on %j as %j', (event, outcome) => {
		expect(nextApprovalState({kind: 'pending'}, event)).toEqual(outcome);
	});
});

describe.each(ends)('an approval that ended as $kind', end => {
	test.each(events)('is not changed by %j', event => {
		expect(nextApprovalState(end, event)).toBe(end);
	});
});
