import {createServer} from 'node:http';
import {describe, expect, onTestFinished, test} from 'vitest';
import {type AskLimit, LimitReached, type ModelRequest, type Spending} from '../../source/agent/spending.ts';
import {type ApprovalOutcome} from '../../source/approvals/approval-state.ts';
import {noLimits, type RunAmounts} from '../../source/config/read/limits-config.ts';
import {type TokenUsage} from '../../source/state/work-event.ts';
import {startModelServer} from '../simulators/model-server.ts';
import {answering, openAgent} from './open-agent.ts';
import {listenOnFreePort} from '../helpers/free-port.ts';
import {openScriptedModel} from '../simulators/scripted-model.ts';
import {read} from './with-model.ts';

type Answer = ApprovalOutcome['kind'];

const outcomes: Readonly<Record<Answer, ApprovalOutcome>> = {
	approved: {kind: 'approved', scope: 'once', by: 'console:1'},
	denied: {kind: 'denied', by: 'console:1', message: 'enough'},
	timed_out: {kind: 'timed_out'},
	no_channel: {kind: 'no_channel', message: 'No dashboard is open'},
	cancelled: {kind: 'cancelled'},
};

/** Limits of a run and of nothing else; what was counted, by its provider and in the end. */
function openSpending(run: RunAmounts, outcomeOf?: Spending['reserve']) {
	const requests: ModelRequest[] = [];
	const settled: Array<Partial<TokenUsage> | 'released'> = [];
	const spending: Spending = {
		limits: () => ({...noLimits, run, prices: new Map([['tiny', {input: 1, output: 100}]])}),
		async reserve(request) {
			requests.push(request);
			return (
				(await outcomeOf?.(request)) ?? {
					kind: 'reserved',
					reservation: {settle: usage => settled.push(usage), release: () => settled.push('released')},
				}
			);
		},
		wait: async () => undefined,
	};
	return {spending, requests, settled};
}

/** An agent whose model reads a file twice and answers; a person answers every question about a limit alike. */
async function openLimited(run: RunAmounts, answer: Answer, reserve?: Spending['reserve']) {
	const server = await startModelServer(read('a'), read('b'), 'Done.');
	const asked: Array<Parameters<AskLimit>[0]> = [];
	const {spending, ...counted} = openSpending(run, reserve);
	const agent = openAgent({
		model: {provider: 'openai-compatible', name: 'tiny', baseUrl: `${server.url}/v1`},
		tools: {read: answering('hello')},
		spending,
		async askLimit(request) {
			asked.push(request);
			return outcomes[answer];
		},
	});
	const paths = () => agent.calls.map(call => call.arguments);
	return {server, asked, paths, ...counted, ...agent};
}

test('a run far from its limits asks nobody', async () => {
	const {answer, asked, requests, server} = await openLimited(
		{tokens: 1e9, microUsd: 1e15, toolCalls: 2, minutes: 60},
		'denied',
	);
	expect((await answer()).text).toBe('Done.');
	expect(asked).toEqual([]);
	expect(requests.map(({run}) => run)).toEqual(['begins', 'goes-on', 'goes-on']);
	expect(server.requests()).toHaveLength(3);
});

describe('a request that would pass a limit of its run', () => {
	const cases: ReadonlyArray<[RunAmounts, string]> = [
		[{tokens: 10_000}, 'limits.run.tokens'],
		[{microUsd: 100_000}, 'limits.run.usd'],
	];

	test.each(cases)('is sent once a person lifts %j, and the run is asked about once', async (run, path) => {
		const {answer, asked, paths, server} = await openLimited(run, 'approved');
		expect((await answer()).text).toBe('Done.');
		expect(asked.map(({tool}) => tool)).toEqual([path]);
		expect(paths()).toEqual([{path: 'a'}, {path: 'b'}]);
		expect(server.requests()).toHaveLength(3);
	});

	test.each<[Answer, string]>([
		['denied', 'more was denied by console:1: enough'],
		['timed_out', 'nobody allowed more in time'],
		['no_channel', 'nobody could be asked for more: No dashboard is open'],
	])('is not sent when that is %s: the run ends with limit_reached', async (how, words) => {
		const {answer, asked, server} = await openLimited({tokens: 10_000}, how);
		await expect(answer()).rejects.toMatchObject({
			code: 'limit_reached',
			message: `limits.run.tokens is reached: ${words}`,
		});
		expect([asked.length, server.requests().length]).toEqual([1, 0]);
	});

	test('goes on with its conversation in the middle of the run, and calls no tool twice', async () => {
		const told: Array<readonly string[]> = [];
		const turns = [
			{tool: 'mcp__files__read', input: {path: 'a'}},
			{tool: 'mcp__files__read', input: {path: 'b'}},
		];
		const model = await openScriptedModel(
			({results}) => {
				told.push(results);
				return turns[results.length] ?? 'Done.';
			},
			{prompt_tokens: 100, completion_tokens: 6500},
		);
		onTestFinished(model.close);
		const asked: unknown[] = [];
		const {spending, settled} = openSpending({tokens: 22_000});
		const {answer, calls} = openAgent({
			model: {provider: 'openai-compatible', name: 'tiny', baseUrl: model.baseUrl},
			tools: {read: answering('hello')},
			spending,
			async askLimit(request) {
				asked.push([request.tool, request.arguments['spent'], model.asked().length]);
				return outcomes.approved;
			},
		});
		expect((await answer()).text).toBe('Done.');
		expect(asked).toEqual([['limits.run.tokens', 6600, 1]]);
		expect(calls.map(call => call.arguments)).toEqual([{path: 'a'}, {path: 'b'}]);
		expect(told).toEqual([[], ['hello'], ['hello', 'hello']]);
		expect(settled).toEqual(Array.from({length: 3}, () => ({inputTokens: 100, outputTokens: 6500})));
	});
});

describe('calls of tools', () => {
	test('beyond the limit are made once a person lifts it', async () => {
		const {answer, asked, paths} = await openLimited({toolCalls: 1}, 'approved');
		expect((await answer()).text).toBe('Done.');
		expect(asked).toMatchObject([{tool: 'limits.run.tool_calls', arguments: {amount: 1, spent: 1, next_at_most: 1}}]);
		expect(paths()).toEqual([{path: 'a'}, {path: 'b'}]);
	});

	test('beyond the limit are not made otherwise, and the model is not asked again', async () => {
		const {answer, paths, server} = await openLimited({toolCalls: 1}, 'denied');
		await expect(answer()).rejects.toMatchObject({code: 'limit_reached'});
		expect(paths()).toEqual([{path: 'a'}]);
		expect(server.requests()).toHaveLength(2);
	});

	test('and requests count until the minutes are over', async () => {
		const {answer, asked} = await openLimited({minutes: 1e-9}, 'denied');
		await expect(answer()).rejects.toMatchObject({code: 'limit_reached'});
		expect(asked).toMatchObject([{tool: 'limits.run.minutes'}]);
	});
});

describe('a limit of the day', () => {
	const reached = {kind: 'reached', limit: {path: 'limits.day.tokens', bound: 1, date: 20260131}} as const;

	test('withholds a run that has done nothing, and asks nobody for it', async () => {
		const {answer, progress, server} = await openLimited({}, 'denied', async () => reached);
		await expect(answer()).rejects.toMatchObject({
			code: 'limit_reached',
			message: 'limits.day.tokens is reached: the run waits in the queue',
		});
		expect(progress.some(({kind}) => kind === 'asked')).toBe(false);
		expect(server.requests()).toEqual([]);
	});

	test('lets a run that began wait with its conversation, without its slot', async () => {
		const server = await startModelServer(read('a'), 'Done.');
		const lifted = Promise.withResolvers<void>();
		let isOpen = false;
		const {spending} = openSpending({}, async ({run}) => (run === 'goes-on' && isOpen ? reached : unwatched()));
		const {answer, calls, progress} = openAgent({
			model: {provider: 'openai-compatible', name: 'tiny', baseUrl: `${server.url}/v1`},
			tools: {
				read: {
					call() {
						isOpen = true;
						return {kind: 'result', result: 'hello'};
					},
				},
			},
			spending: {
				...spending,
				wait: () => lifted.promise,
			},
		});
		const slot: string[] = [];
		let held = true;
		const answering = answer(
			{},
			{
				slot: {
					isHeld: () => held,
					giveBack() {
						held = false;
						slot.push('given back');
					},
					async takeBack() {
						held = true;
						slot.push('taken back');
					},
				},
			},
		);
		await expect
			.poll(() => progress.findLast(({kind}) => kind === 'waiting'))
			.toEqual({kind: 'waiting', waiting: 'approval'});
		expect([slot, server.requests().length]).toEqual([['given back'], 1]);
		isOpen = false;
		lifted.resolve();
		expect((await answering).text).toBe('Done.');
		expect([calls.length, server.requests().length, slot.at(-1)]).toEqual([1, 2, 'taken back']);
	});

	test('ends a run that began when a person denies more', async () => {
		const {spending, ...counted} = openSpending({}, async ({run}) => (run === 'goes-on' ? reached : unwatched()));
		const server = await startModelServer(read('a'), 'Done.');
		const {answer} = openAgent({
			model: {provider: 'openai-compatible', name: 'tiny', baseUrl: `${server.url}/v1`},
			tools: {read: answering('hello')},
			spending: {
				...spending,
				wait: () => Promise.reject(new LimitReached('limits.day.tokens', 'more was denied by cli')),
			},
		});
		await expect(answer()).rejects.toMatchObject({message: 'limits.day.tokens is reached: more was denied by cli'});
		expect([counted.requests.length, server.requests().length]).toEqual([2, 1]);
	});
});

test('a request that is refused with a status, or finds nobody, costs nothing', async () => {
	const server = await startModelServer({status: 500});
	const {spending, settled} = openSpending({});
	const {answer} = openAgent({
		model: {provider: 'openai-compatible', name: 'tiny', baseUrl: `${server.url}/v1`},
		spending,
	});
	await expect(answer()).rejects.toMatchObject({code: 'model_failed'});
	const gone = createServer();
	const closed = await listenOnFreePort(gone);
	gone.close();
	const nobody = openAgent({
		model: {provider: 'openai-compatible', name: 'tiny', baseUrl: `http://127.0.0.1:${closed}/v1`},
		spending,
	});
	await expect(nobody.answer()).rejects.toMatchObject({code: 'model_unreachable'});
	expect(settled).toEqual(['released', 'released']);
});

test('a request of a server counts for the day, and is not sent beyond its limit', async () => {
	const server = await startModelServer('Done.');
	let isReached = false;
	const {spending, requests} = openSpending({}, async () =>
		isReached ? {kind: 'reached', limit: {path: 'limits.day.usd', bound: 1, date: 20260131}} : unwatched(),
	);
	const {agent} = openAgent({
		model: {provider: 'openai-compatible', name: 'tiny', baseUrl: `${server.url}/v1`},
		spending,
	});
	const origin = {kind: 'endpoint', client: 'codex'} as const;
	const request = {messages: [{role: 'user', parts: [{kind: 'text', text: 'Hi'}]}], maximumTokens: 50} as const;
	const signal = new AbortController().signal;
	expect((await agent.complete(request, {signal, origin})).text).toBe('Done.');
	expect(requests).toMatchObject([{origin, run: 'none', bound: {outputTokens: 50, inputTokens: expect.any(Number)}}]);
	isReached = true;
	await expect(agent.complete(request, {signal, origin})).rejects.toMatchObject({code: 'limit_reached'});
	expect(server.requests()).toHaveLength(1);
});

/** A reservation of which nothing is watched. */
function unwatched() {
	return {kind: 'reserved', reservation: {settle: () => undefined, release: () => undefined}} as const;
}
