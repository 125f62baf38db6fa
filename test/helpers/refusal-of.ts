import {expect} from 'vitest';
import {type Problem, toProblem} from '../../source/util/problem.ts';

/** The problem that work is refused with; fails when it is done. */
export function refusalOf(work: Promise<unknown>): Promise<Problem> {
	return work.then(
		() => expect.fail('it was not refused'),
		(caught: unknown) => toProblem(caught),
	);
}
