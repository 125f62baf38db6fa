import {expect, test} from 'vitest';
import {Problem} from '../../source/util/problem.ts';
import {openCallFixture} from './call-fixture.ts';

test.each(['call_timeout', 'cancelled'] as const)(
	'%s of a call that may have taken effect keeps its code and is listed as uncertain',
	async code => {
		const {call, ends, ofType} = openCallFixture({
			respond: () => Promise.reject(new Problem(code, {message: 'late', isOutcomeUncertain: true})),
		});
		expect(await call('read')).toMatchObject({error: {code, outcomeUncertain: true}});
		expect(ends).toMatchObject([[expect.any(String), {outcome: 'outcome_uncertain', code}]]);
		expect(ofType('call.uncertain')).toHaveLength(1);
	},
);
