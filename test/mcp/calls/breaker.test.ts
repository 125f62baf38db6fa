import {describe, expect, test} from 'vitest';
import {allowCall, type BreakerState, closedBreaker, settleCall} from '../../../source/mcp/calls/breaker.ts';

const now = 1000;
const states = {
	fresh: {kind: 'closed', failures: 0},
	shaken: {kind: 'closed', failures: 2},
	resting: {kind: 'open', until: 5000},
	rested: {kind: 'open', until: 1000},
	probing: {kind: 'probing'},
} as const satisfies Record<string, BreakerState>;

describe('a call asks to pass', () => {
	test.each([
		{from: 'fresh', admitted: true, to: 'fresh'},
		{from: 'shaken', admitted: true, to: 'shaken'},
		{from: 'resting', admitted: false, to: 'resting'},
		{from: 'rested', admitted: true, to: 'probing'},
		{from: 'probing', admitted: false, to: 'probing'},
	] as const)('$from: admitted $admitted, then $to', ({from, admitted, to}) => {
		expect(allowCall(states[from], now)).toEqual({admitted, state: states[to]});
	});
});

describe('an admitted call has ended', () => {
	test.each([
		{from: 'fresh', outcome: 'answered', to: closedBreaker},
		{from: 'fresh', outcome: 'transport-failure', to: {kind: 'closed', failures: 1}},
		{from: 'fresh', outcome: 'unknown', to: states.fresh},
		{from: 'shaken', outcome: 'answered', to: closedBreaker},
		{from: 'shaken', outcome: 'transport-failure', to: {kind: 'open', until: 61_000}},
		{from: 'shaken', outcome: 'unknown', to: states.shaken},
		{from: 'resting', outcome: 'answered', to: closedBreaker},
		{from: 'resting', outcome: 'transport-failure', to: states.resting},
		{from: 'resting', outcome: 'unknown', to: states.resting},
		{from: 'rested', outcome: 'answered', to: closedBreaker},
		{from: 'rested', outcome: 'transport-failure', to: states.rested},
		{from: 'rested', outcome: 'unknown', to: states.rested},
		{from: 'probing', outcome: 'answered', to: closedBreaker},
		{from: 'probing', outcome: 'transport-failure', to: {kind: 'open', until: 61_000}},
		{from: 'probing', outcome: 'unknown', to: {kind: 'open', until: now}},
	] as const)('$from + $outcome → $to.kind', ({from, outcome, to}) => {
		expect(settleCall(states[from], outcome, now)).toEqual(to);
	});
});
