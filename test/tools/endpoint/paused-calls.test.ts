import {type CallToolResult, type InputRequiredResult} from '@modelcontextprotocol/server';
import {expect, test} from 'vitest';
import {type AskCaller} from '../../../source/approvals/ask-caller.ts';
import {createWaitingTime} from '../../../source/approvals/waiting-time.ts';
import {type AnswerCallOptions} from '../../../source/tools/endpoint/answer-call.ts';
import {type CallLeg, createPausedCalls} from '../../../source/tools/endpoint/paused-calls.ts';
import {createFakeClock} from '../../helpers/fake-clock.ts';
import {openCallFixture, toolsOf} from '../call-fixture.ts';

const question = {
	kind: 'elicitation',
	asker: 'files',
	message: 'files: Sure?',
	fields: [{kind: 'boolean', name: 'sure', title: 'Sure', description: '', need: 'required'}],
	origin: {kind: 'command-line'},
} as const;

function open() {
	const clock = createFakeClock();
	const time = createWaitingTime(clock);
	const paused = createPausedCalls({...toolsOf(openCallFixture(), clock), time});
	const began: AnswerCallOptions[] = [];
	const outcomes: string[] = [];
	/** A call that asks once, and whose result is the outcome. */
	const run = async (options: AnswerCallOptions): Promise<CallToolResult> => {
		began.push(options);
		const outcome = await ask(options.askCaller);
		outcomes.push(outcome.kind);
		return {content: [{type: 'text', text: outcome.kind}], isError: options.signal.aborted};
	};
	const ask = async (caller: AskCaller | undefined) =>
		(await caller?.ask(question, {timeoutSeconds: 300, elicitationId: 'q1'})) ?? ({kind: 'cancelled'} as const);
	const serve = (change: Partial<CallLeg> = {}) =>
		paused.serve(
			{
				call: 'one',
				modes: new Set(['form']),
				state: undefined,
				responses: undefined,
				signal: new AbortController().signal,
				progressToken: undefined,
				notifyProgress: () => undefined,
				...change,
			},
			run,
		);
	const begin = async () => (await serve()) as InputRequiredResult;
	return {clock, time, paused, began, outcomes, serve, begin};
}

const answered = {q1: {action: 'accept', content: {sure: true}}};
const invalid = {code: -32_602, message: expect.stringContaining('requestState')};

test('a call goes on with the answer that its client brings, and was begun once', async () => {
	const {serve, begin, began} = open();
	const first = await begin();
	expect(first).toMatchObject({
		resultType: 'input_required',
		inputRequests: {q1: {method: 'elicitation/create', params: {mode: 'form', message: 'files: Sure?'}}},
		requestState: expect.stringMatching(/^[\w-]{22}$/u),
	});
	expect(await serve({state: first.requestState, responses: answered})).toEqual({
		content: [{type: 'text', text: 'answered'}],
		isError: false,
	});
	expect(began).toHaveLength(1);
	// A call that has become a task goes on, and its client is asked nothing more.
	expect(began[0]?.askCaller?.modes.size).toBe(0);
});

test.each([
	['used before', true, {}],
	['of another call', false, {call: 'another'}],
	['unknown', false, {state: 'AAAAAAAAAAAAAAAAAAAAAA'}],
] as const)('a state that is %s begins nothing', async (_, isUsed, change) => {
	const {serve, begin, began} = open();
	const {requestState: state} = await begin();
	if (isUsed) {
		await serve({state, responses: answered});
	}

	await expect(serve({state, responses: answered, ...change})).rejects.toMatchObject(invalid);
	expect(began).toHaveLength(1);
});

test('a state says nothing to another client', async () => {
	const {requestState: state} = await open().begin();
	const other = open();
	await expect(other.serve({state, responses: answered})).rejects.toMatchObject(invalid);
	expect(other.began).toEqual([]);
});

test('a client that comes back without an answer that can be read ends the question', async () => {
	const {serve, begin, outcomes} = open();
	const {requestState: state} = await begin();
	await serve({state, responses: {q1: {action: 'perhaps'}}});
	expect(outcomes).toEqual(['no_channel']);
});

test('a client that is late gets the result of the call without its answer; then it is dropped', async () => {
	const {clock, serve, begin, outcomes} = open();
	const {requestState: state} = await begin();
	await clock.advance(300_000);
	expect(outcomes).toEqual(['timed_out']);
	expect(await serve({state, responses: answered})).toMatchObject({content: [{text: 'timed_out'}]});

	const second = await begin();
	await clock.advance(300_000 + 600_000);
	await expect(serve({state: second.requestState, responses: answered})).rejects.toMatchObject(invalid);
});

test('a question to a client has no deadline while everything is held, and its call waits as long', async () => {
	const {clock, time, serve, begin, outcomes} = open();
	const {requestState: state} = await begin();
	await clock.advance(299_000);
	time.suspend();
	await clock.advance(5_000_000);
	time.resume();
	await clock.advance(999);
	expect(outcomes).toEqual([]);
	await clock.advance(1);
	expect(outcomes).toEqual(['timed_out']);
	expect(await serve({state, responses: answered})).toMatchObject({content: [{text: 'timed_out'}]});
});

test('a client that hangs up after it came back cancels the call', async () => {
	const {begin, serve, began} = open();
	const {requestState: state} = await begin();
	const caller = new AbortController();
	caller.abort();
	await serve({state, responses: answered, signal: caller.signal});
	expect(began[0]?.signal.aborted).toBe(true);
});

test('paused calls are bounded, and end with the endpoint', async () => {
	const {begin, paused, began} = open();
	for (let count = 0; count < 65; count++) {
		await begin();
	}

	expect(began.map(({signal}) => signal.aborted)).toEqual([true, ...Array.from({length: 64}, () => false)]);
	paused.close();
	expect(began.every(({signal}) => signal.aborted)).toBe(true);
});
