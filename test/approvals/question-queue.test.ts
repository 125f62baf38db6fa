import {describe, expect, onTestFinished, test} from 'vitest';
import {createQuestionQueue, maxWaitingQuestions, type Question} from '../../source/approvals/question-queue.ts';
import {createWaitingTime} from '../../source/approvals/waiting-time.ts';
import {type QuestionAnswer} from '../../source/state/person-answers.ts';
import {createSlowRows} from './open-queue.ts';
import {createFakeClock} from '../helpers/fake-clock.ts';
import {recordEvents} from '../helpers/record-events.ts';

const question: Question = {
	kind: 'elicitation',
	asker: 'booking',
	message: 'Which day?',
	fields: [{kind: 'text', name: 'day', title: 'Day', description: '', need: 'required', format: 'date'}],
	origin: {kind: 'command-line'},
};
const accept: QuestionAnswer = {kind: 'accept', values: {day: '2026-07-28'}};

/** A queue with or without somebody who looks; no timer may be left when the test has ended. */
function openQueue(consoles = 1, rows?: ReturnType<typeof createSlowRows>['rows']) {
	const clock = createFakeClock();
	const {publish, ofType} = recordEvents();
	const time = createWaitingTime(clock);
	const questions = createQuestionQueue({clock, time, publish, hasConsole: () => consoles > 0, rows});
	onTestFinished(() => {
		questions.close();
		expect(clock.open()).toBe(0);
	});
	return {clock, time, questions, ofType};
}

function askOne(
	questions: ReturnType<typeof openQueue>['questions'],
	options: Partial<Parameters<typeof questions.ask>[1]> = {},
) {
	const outcome = questions.ask(question, {timeoutSeconds: 300, ...options});
	return {outcome, id: questions.waiting().at(-1)?.id ?? 'none'};
}

describe('a question ends', () => {
	test.each([
		[accept, {kind: 'answered', values: {day: '2026-07-28'}, by: 'console:1'}],
		[{kind: 'decline'}, {kind: 'declined', by: 'console:1'}],
		[{kind: 'cancel'}, {kind: 'cancelled', by: 'console:1'}],
	] as const)('as the person answers: %j', async (answer, expected) => {
		const {questions} = openQueue();
		const {outcome, id} = askOne(questions);
		expect(questions.answer({id, answer, by: 'console:1'})).toEqual({kind: 'resolved'});
		expect(await outcome).toEqual(expected);
	});

	test('as timed_out at its deadline', async () => {
		const {clock, questions} = openQueue();
		const {outcome} = askOne(questions, {timeoutSeconds: 20});
		await clock.advance(20_000);
		expect(await outcome).toEqual({kind: 'timed_out'});
	});

	test('as cancelled when the asker goes away', async () => {
		const {questions} = openQueue();
		const asker = new AbortController();
		const {outcome} = askOne(questions, {signal: asker.signal});
		asker.abort();
		expect(await outcome).toEqual({kind: 'cancelled'});
	});

	test('as no_channel at once when nobody looks', async () => {
		const {questions, ofType} = openQueue(0);
		expect(await askOne(questions).outcome).toEqual({kind: 'no_channel', message: 'No dashboard is open'});
		expect(ofType('question.asked')).toEqual([]);
	});

	test('as no_channel when too many wait', async () => {
		const {questions} = openQueue();
		for (let count = 0; count < maxWaitingQuestions; count++) {
			void askOne(questions);
		}

		expect(await askOne(questions).outcome).toMatchObject({kind: 'no_channel'});
	});

	test('as no_channel when too many are being written for other gateways', async () => {
		const {rows, fail} = createSlowRows();
		const {questions} = openQueue(1, rows);
		const asked = Array.from({length: maxWaitingQuestions}, () => askOne(questions).outcome);
		expect(await askOne(questions).outcome).toMatchObject({message: '50 other questions are already waiting'});
		fail();
		const unwritten = {kind: 'no_channel', message: 'the database is away'};
		expect(await Promise.all(asked)).toEqual(asked.map(() => unwritten));
		expect(await askOne(questions).outcome).toEqual(unwritten);
	});

	test('as cancelled when its server is removed', async () => {
		const {questions} = openQueue();
		const {outcome} = askOne(questions);
		questions.withdraw(card => card.asker === 'booking');
		expect(await outcome).toEqual({kind: 'cancelled'});
	});

	test('as cancelled after the queue has closed', async () => {
		const {questions} = openQueue();
		questions.close();
		expect(await askOne(questions).outcome).toEqual({kind: 'cancelled'});
	});
});

test('the first answer wins', async () => {
	const {questions, ofType} = openQueue();
	const {outcome, id} = askOne(questions);
	questions.answer({id, answer: {kind: 'decline'}, by: 'console:1'});
	expect(questions.answer({id, answer: accept, by: 'console:1'})).toEqual({kind: 'already-settled'});
	expect(await outcome).toEqual({kind: 'declined', by: 'console:1'});
	expect(ofType('question.settled')).toHaveLength(1);
});

test('values that do not fit are sent back and the question goes on waiting', () => {
	const {questions, ofType} = openQueue();
	const {id} = askOne(questions, {check: () => ({kind: 'unfit', problem: 'day must match format "date"'})});
	expect(questions.answer({id, answer: accept, by: 'console:1'})).toEqual({
		kind: 'unfit',
		problem: 'day must match format "date"',
	});
	expect(questions.waiting()).toHaveLength(1);
	expect(ofType('question.settled')).toEqual([]);
});

test('a form that does not fit can still be declined', async () => {
	const {questions} = openQueue();
	const {outcome, id} = askOne(questions, {check: () => ({kind: 'unfit', problem: ''})});
	questions.answer({id, answer: {kind: 'decline'}, by: 'console:1'});
	expect(await outcome).toMatchObject({kind: 'declined'});
});

test('the asker gets the values as the check completed them', async () => {
	const {questions} = openQueue();
	const {outcome, id} = askOne(questions, {check: values => ({kind: 'fit', values: {...values, seats: 2}})});
	questions.answer({id, answer: accept, by: 'console:1'});
	expect(await outcome).toMatchObject({values: {day: '2026-07-28', seats: 2}});
});

test('values go to the asker and to nobody else', () => {
	const {questions, ofType} = openQueue();
	const {id} = askOne(questions);
	questions.answer({id, answer: accept, by: 'console:1'});
	const [settled] = ofType('question.settled');
	expect(settled).toEqual({
		type: 'question.settled',
		id,
		kind: 'elicitation',
		asker: 'booking',
		outcome: 'answered',
		by: 'console:1',
	});
});

test('a question has no deadline while everything is held, and goes on with what was left', async () => {
	const {clock, time, questions, ofType} = openQueue();
	const {outcome, id} = askOne(questions, {timeoutSeconds: 20});
	await clock.advance(15_000);
	time.suspend();
	await clock.advance(60_000);
	expect(questions.waiting()).toMatchObject([{id, expiresAt: null, left: 5000}]);
	time.resume();
	expect(ofType('question.deadline')).toEqual([
		{type: 'question.deadline', id, expiresAt: null, left: 5000},
		{type: 'question.deadline', id, expiresAt: clock.now() + 5000},
	]);
	await clock.advance(4999);
	expect(questions.waiting()).toHaveLength(1);
	await clock.advance(1);
	expect(await outcome).toEqual({kind: 'timed_out'});
});
