import {describe, expect, test} from 'vitest';
import {
	type EraEvidence,
	firstStep,
	type HandshakeStep,
	nextStep,
	type Protocol,
} from '../../../source/mcp/protocol/negotiate.ts';

test.each([
	['auto', 'initialize'],
	['stateless', 'discover'],
	['legacy', 'initialize'],
] as const)('%s begins with %s', (protocol, step) => {
	expect(firstStep(protocol)).toBe(step);
});

describe('after a failed step', () => {
	const allowed = new Map<string, HandshakeStep>([
		['auto initialize modern-only', 'discover'],
		['stateless discover not-modern', 'initialize'],
	]);
	const cases = (['auto', 'stateless', 'legacy'] as const satisfies Protocol[]).flatMap(protocol =>
		(['initialize', 'discover'] as const satisfies HandshakeStep[]).flatMap(failed =>
			(['modern-only', 'not-modern', 'none'] as const satisfies EraEvidence[]).map(evidence => ({
				protocol,
				failed,
				evidence,
				next: allowed.get(`${protocol} ${failed} ${evidence}`),
			})),
		),
	);

	test.each(cases)('$protocol, $failed, $evidence → $next', ({protocol, failed, evidence, next}) => {
		expect(nextStep(protocol, failed, evidence)).toBe(next);
	});
});
