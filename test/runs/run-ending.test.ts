import {describe, expect, test} from 'vitest';
import {cancelledByPerson, gatewayStopped} from '../../source/runs/run-problems.ts';
import {endingOfAbort, maxTries, endingOfFailure} from '../../source/runs/run-ending.ts';
import {type ProblemCode} from '../../source/util/problem-codes.ts';
import {Problem} from '../../source/util/problem.ts';

describe('what went wrong', () => {
	const codes: readonly ProblemCode[] = [
		'internal',
		'storage_unavailable',
		'too_many_open_files',
		'model_unusable',
		'model_failed',
	];
	/** One column per code, in the order above. */
	const table = {
		taken: 'requeue requeue requeue fail fail',
		asked: 'fail interrupt requeue fail fail',
	} as const;
	const rows = (['taken', 'asked'] as const).flatMap(stage =>
		codes.map((code, index) => ({stage, code, step: table[stage].split(' ')[index]})),
	);

	test.each(rows)('$code when it was $stage: $step', ({stage, code, step}) => {
		expect(endingOfFailure(new Problem(code), {stage, tries: 1}).step).toBe(step);
		expect(endingOfFailure(new Problem(code), {stage, tries: maxTries - 1}).step).toBe(step);
		expect(endingOfFailure(new Problem(code), {stage, tries: maxTries}).step).toBe(
			step === 'interrupt' ? step : 'fail',
		);
	});

	test('is our own when it was not expected', () => {
		expect(endingOfFailure(new TypeError('x is undefined'), {stage: 'taken', tries: 1})).toEqual({
			step: 'requeue',
			reason: 'Something inside Sluice went wrong',
		});
	});
});

test.each([
	['taken', gatewayStopped, 'requeue'],
	['asked', gatewayStopped, 'interrupt'],
	['taken', cancelledByPerson, 'cancel'],
	['asked', cancelledByPerson, 'cancel'],
] as const)('a run that was %s when its signal aborted (%s): %s', (stage, reason, step) => {
	expect(endingOfAbort(AbortSignal.abort(reason), {stage, stopped: 'the gateway stopped'}).step).toBe(step);
});
