import {describe, expect, test} from 'vitest';
import {decide} from '../../source/approvals/policy.ts';

/** Whatever a server may have written; only the first is the claim of the protocol. */
const hints: readonly unknown[] = [true, false, undefined, null, 'true', 1, {}, [true], 'readOnly'];
const trusts = ['full', 'untrusted'] as const;

const calls = trusts.flatMap(trust =>
	hints.flatMap(readOnlyHint => [true, false].map(remembered => ({trust, readOnlyHint, remembered}))),
);

describe('the policy', () => {
	test.each(calls.filter(call => call.trust === 'full'))('asks nobody about a trusted server: %j', call => {
		expect(decide(call)).toBe('run');
	});

	test.each(calls.filter(call => call.trust === 'untrusted' && call.remembered))(
		'asks nobody again about what is remembered: %j',
		call => {
			expect(decide(call)).toBe('run');
		},
	);

	test('believes the claim `true`', () => {
		expect(decide({trust: 'untrusted', readOnlyHint: true, remembered: false})).toBe('run');
	});

	test.each(calls.filter(call => call.trust === 'untrusted' && !call.remembered && call.readOnlyHint !== true))(
		'asks about everything else: %j',
		call => {
			expect(decide(call)).toBe('ask');
		},
	);

	test('asks about a trust that it does not know', () => {
		const trust = 'FULL' as 'full';
		expect(decide({trust, readOnlyHint: undefined, remembered: false})).toBe('ask');
	});
});
