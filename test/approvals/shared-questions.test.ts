import {describe, expect, test} from 'vitest';
import {hasPostgres} from '../helpers/postgres-server.ts';
import {openTwo} from './open-node.ts';

describe.skipIf(!hasPostgres)('a question that waits at one gateway', () => {
	test('is answered at the other with what fits, once', async () => {
		const {one, two} = await openTwo();
		const {id, outcome} = await one.askQuestion();
		await two.look();
		expect(two.ofType('question.asked')).toMatchObject([{id, node: 'web-1', askedAt: 'another-node'}]);
		const answer = (day: string) => ({id, answer: {kind: 'accept', values: {day}}, by: 'console:1'}) as const;
		expect(await two.requests.answerQuestion(answer('never'))).toEqual({kind: 'unfit', problem: 'day is no date'});
		expect(await two.requests.answerQuestion(answer('2026-07-28'))).toEqual({kind: 'resolved'});
		expect(await one.requests.answerQuestion(answer('2026-07-29'))).toEqual({kind: 'already-settled'});
		expect(await outcome).toEqual({kind: 'answered', values: {day: '2026-07-28'}, by: 'console:1 on web-2'});
		expect(two.ofType('question.settled')).toMatchObject([{id, outcome: 'answered', by: 'console:1'}]);
	});

	test('keeps nothing of what was filled in once the gateway that asked has it', async () => {
		const {one, two, sql} = await openTwo();
		const stored = () => sql('SELECT outcome, answer, answered_by FROM requests');
		const {id, outcome} = await one.askQuestion();
		await two.look();
		await two.requests.answerQuestion({id, answer: {kind: 'accept', values: {day: 'secret'}}, by: 'console:1'});
		expect(await stored()).toMatchObject([{answer: expect.stringContaining('secret')}]);
		await one.look();
		expect(await outcome).toMatchObject({values: {day: 'secret'}});
		const ended = {outcome: 'answered', answer: null, answered_by: 'console:1'};
		await expect.poll(stored).toEqual([ended]);
		expect(await two.requests.answerQuestion({id, answer: {kind: 'decline'}, by: 'console:2'})).toEqual({
			kind: 'already-settled',
		});
		const own = await one.askQuestion();
		await one.requests.answerQuestion({id: own.id, answer: {kind: 'accept', values: {day: 'secret'}}, by: 'console:1'});
		expect(await own.outcome).toMatchObject({values: {day: 'secret'}});
		await expect.poll(stored).toEqual([ended, ended]);
	});

	test.each(['was given up', 'is gone'])('keeps nothing of what was filled in when the asker %s', async how => {
		const {one, two, sql} = await openTwo();
		const {id, outcome} = await one.askQuestion();
		await two.look();
		await two.requests.answerQuestion({id, answer: {kind: 'accept', values: {day: 'secret'}}, by: 'console:1'});
		if (how === 'is gone') {
			await sql(`UPDATE requests SET owner = 'nobody'`);
			await two.journal.cancelAbandonedRequests();
		} else {
			one.questions.withdraw(() => true);
			expect(await outcome).toEqual({kind: 'cancelled'});
		}

		await expect.poll(() => sql('SELECT outcome, answer FROM requests')).toEqual([{outcome: 'answered', answer: null}]);
		// An asker that was only taken to be gone takes no empty form for what was filled in.
		await one.look();
		expect(await outcome).toEqual({kind: 'cancelled'});
	});
});
