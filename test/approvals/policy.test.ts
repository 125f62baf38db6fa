import {describe, expect, test} from 'vitest';
import {decide} from '../../source/approvals/policy.ts';

/** Whatever a server may have written; only the first is the claim of the protocol. */
const hints: readonly unknown[] = [true, false, undefined, null, 'true', 1, {}, [true], 'readOnly'];
const trusts = ['full', 'untrusted'] as const;

const calls = trusts.flatMap(trust =>
	hints.flatMap(readOnlyHint => [true, false].map(remembered => ({trust, readOnlyHint, remembered}))),
);

describe('a rule', () => {
	const approvals = ['fresh', 'as-needed'] as const;
	const cases = calls.flatMap(call => approvals.map(approval => ({...call, approval})));

	test.each(['deny', 'ask'] as const)('that says %s beats everything else', rules => {
		expect(new Set(cases.map(call => decide({...call, rules})))).toEqual(new Set([rules]));
	});

	test('that allows only spares the asking of a call that needs no fresh approval', () => {
		for (const call of cases) {
			const without = decide(call);
			const spared = without === 'ask' && call.approval === 'as-needed' ? 'run-by-rule' : without;
			expect([call, decide({...call, rules: 'allow'})]).toEqual([call, spared]);
		}
	});

	test('that says nothing changes nothing', () => {
		for (const call of cases) {
			expect([call, decide({...call, rules: 'none'})]).toEqual([call, decide(call)]);
		}
	});
});

describe('the policy', () => {
	test.each(calls.filter(call => call.trust === 'full'))('asks nobody about a trusted server: %j', call => {
		expect(decide(call)).toBe('run');
	});

	test.each(calls.filter(call => call.trust === 'untrusted' && call.remembered))(
		'asks nobody again about what is remembered: %j',
		call => {
			expect(decide(call)).toBe(call.readOnlyHint === true ? 'run' : 'run-as-remembered');
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
