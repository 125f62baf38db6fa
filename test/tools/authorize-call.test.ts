import {describe, expect, test} from 'vitest';
import {type Verdict} from '../../source/state/person-answers.ts';
import {definition, offerOf} from './server-offers.ts';
import {openCallFixture} from './call-fixture.ts';

const once: Verdict = {kind: 'approve', scope: 'once'};
const result = {kind: 'result', result: 'done'};

describe('an untrusted tool', () => {
	test('runs when a person allows it', async () => {
		const {call, answer, requests} = openCallFixture();
		const outcome = call('write', {path: '/a'});
		await answer(once);
		expect(await outcome).toEqual(result);
		expect(requests).toEqual([{kind: 'tool', tool: 'write', arguments: {path: '/a'}, readOnly: false}]);
	});

	test('asks again every time that it was allowed once', async () => {
		const {call, answer, approvals, clock} = openCallFixture();
		const first = call('write');
		await answer(once);
		await first;
		const second = call('write');
		await clock.settle();
		expect(approvals.pending()).toHaveLength(1);
		await answer(once);
		await second;
	});

	test.each(['session', 'always'] as const)('asks no more once it is allowed for the scope %s', async scope => {
		const {call, answer, decisions, ofType} = openCallFixture();
		const first = call('write');
		await answer({kind: 'approve', scope});
		await first;
		expect(await call('write', {path: '/other'})).toEqual(result);
		expect(decisions.at(-1)).toMatchObject({outcome: 'approved', scope, by: 'remembered rule'});
		expect(ofType('approval.settled').at(-1)).toMatchObject({outcome: 'approved', scope, by: 'remembered rule'});
	});

	test('asks again with the difference when its definition has changed', async () => {
		const {call, answer, catalogue, config, approvals, clock} = openCallFixture();
		const first = call('write');
		await answer({kind: 'approve', scope: 'always'});
		await first;
		catalogue.register(config, {...offerOf(), tools: [definition('write', {description: 'and sends'})]});
		const second = call('write');
		await clock.settle();
		expect(approvals.pending()[0]?.definitionChange).toBe('+ description: "and sends"');
		await answer(once);
		await second;
	});

	test('shows the difference again after it was allowed once', async () => {
		const {call, answer, catalogue, config, approvals, clock} = openCallFixture();
		const first = call('write');
		await answer({kind: 'approve', scope: 'always'});
		await first;
		catalogue.register(config, {...offerOf(), tools: [definition('write', {description: 'and sends'})]});
		const second = call('write');
		await answer(once);
		await second;
		const third = call('write');
		await clock.settle();
		expect(approvals.pending()[0]?.definitionChange).toBe('+ description: "and sends"');
		await answer(once);
		await third;
	});

	test.each([
		['once', once, []],
		['always', {kind: 'approve', scope: 'always'}, [{state: 'valid', scope: 'always'}]],
	] as const)(
		'that newly claims to be read-only loses what was remembered, and asks no more once allowed: %s',
		async (_, verdict, left) => {
			const {call, answer, catalogue, config, rules, approvals, clock} = openCallFixture();
			const first = call('write');
			await answer({kind: 'approve', scope: 'always'});
			await first;
			const annotations = {readOnlyHint: true};
			catalogue.register(config, {...offerOf(), tools: [definition('write', {annotations})]});
			const denied = call('write');
			await answer({kind: 'deny'});
			expect(await denied).toMatchObject({error: {code: 'denied'}});
			const second = call('write');
			await clock.settle();
			expect(approvals.pending()[0]?.definitionChange).toBe('+ annotations.readOnlyHint: true');
			expect(rules.list()).toMatchObject([{state: 'void'}]);
			await answer(verdict);
			expect(await second).toEqual(result);
			expect(rules.list()).toMatchObject(left);
			expect(await call('write', {path: '/other'})).toEqual(result);
		},
	);

	test('is not remembered by an answer that came too late', async () => {
		const {call, answer, approvals, rules, clock} = openCallFixture();
		const outcome = call('write');
		await clock.settle();
		const card = approvals.pending()[0];
		await answer({kind: 'deny'});
		const lazy = {kind: 'approve', scope: 'always'} as const;
		approvals.answer({id: card?.id ?? '', argumentsHash: card?.argumentsHash ?? '', verdict: lazy, by: 'cli'});
		expect(await outcome).toMatchObject({error: {code: 'denied'}});
		expect(rules.list()).toEqual([]);
	});
});

describe('nobody is asked about', () => {
	test.each(['read', 'list_resources'])('%s, which only reads', async tool => {
		const {call, ofType, decisions} = openCallFixture();
		expect(await call(tool)).toEqual(result);
		expect([ofType('approval.requested'), decisions]).toEqual([[], []]);
	});

	test('a tool of a trusted server', async () => {
		const {call, ofType} = openCallFixture({config: {trust: 'full'}});
		expect(await call('write')).toEqual(result);
		expect(ofType('approval.requested')).toEqual([]);
	});
});

describe('a call that is not approved never touches the connection, and its end is', () => {
	test('denied, with who and why', async () => {
		const {call, answer, requests, calls, refused, decisions, ofType} = openCallFixture();
		const outcome = call('write', {path: '/a'});
		await answer({kind: 'deny', message: 'not on Fridays'});
		expect(await outcome).toEqual({
			kind: 'error',
			error: {code: 'denied', message: 'Denied by console:1: not on Fridays', server: 'files'},
		});
		expect([requests, calls]).toEqual([[], []]);
		const [request] = ofType('approval.requested');
		const callId = refused[0]?.[0].id;
		const asked = {id: request?.id, callId, requestedAt: request?.requestedAt, origin: {kind: 'command-line'}};
		expect(decisions).toMatchObject([{...asked, outcome: 'denied', by: 'console:1', message: 'not on Fridays'}]);
		expect(refused).toMatchObject([[{arguments: {path: '/a'}}, {outcome: 'denied'}]]);
	});

	test('timed_out', async () => {
		const {call, clock, requests, decisions} = openCallFixture();
		const outcome = call('write');
		await clock.advance(300_000);
		expect(await outcome).toMatchObject({error: {code: 'timed_out'}});
		expect(requests).toEqual([]);
		expect(decisions).toMatchObject([{outcome: 'timed_out'}]);
	});

	test('no_channel, with the reason', async () => {
		const {call, closeConsole, requests, decisions} = openCallFixture();
		closeConsole();
		expect(await call('write')).toMatchObject({
			error: {code: 'no_channel', message: expect.stringContaining('No dashboard is open')},
		});
		expect(requests).toEqual([]);
		expect(decisions).toMatchObject([{outcome: 'no_channel'}]);
	});

	test('cancelled, when the caller goes away', async () => {
		const {call, clock, approvals, requests} = openCallFixture();
		const caller = new AbortController();
		const outcome = call('write', {}, caller.signal);
		await clock.settle();
		caller.abort();
		expect(await outcome).toMatchObject({error: {code: 'cancelled'}});
		expect([requests, approvals.pending()]).toEqual([[], []]);
	});

	test('cancelled, when its server is removed', async () => {
		const {call, clock, approvals, requests} = openCallFixture();
		const outcome = call('write');
		await clock.settle();
		approvals.withdraw(card => card.server === 'files');
		expect(await outcome).toMatchObject({error: {code: 'cancelled'}});
		expect(requests).toEqual([]);
	});

	test('cancelled, when the definition changed while somebody thought about it', async () => {
		const {call, answer, catalogue, clock, config, requests} = openCallFixture();
		const outcome = call('write');
		await clock.settle();
		catalogue.register(config, {...offerOf(), tools: [definition('write', {description: 'and sends'})]});
		await answer(once);
		expect(await outcome).toMatchObject({error: {code: 'cancelled'}});
		expect(requests).toEqual([]);
	});

	test('cancelled, when the name belongs to another server by then', async () => {
		const {call, answer, clock, connections, config, requests} = openCallFixture();
		const outcome = call('write');
		await clock.settle();
		connections.set('files', {config, request: () => Promise.reject(new Error('the other one'))});
		await answer(once);
		expect(await outcome).toMatchObject({error: {code: 'cancelled'}});
		expect(requests).toEqual([]);
	});

	test.each([
		['the queue rejects', {ask: () => Promise.reject(new Error('broken'))}],
		[
			'the rules throw',
			{
				rules: {
					find() {
						throw new Error('broken');
					},
					remember: async () => {},
					forgetVoid: async () => {},
					problem: () => undefined,
				},
			},
		],
		[
			'the card cannot be made',
			{
				addressOf() {
					throw new Error('broken');
				},
			},
		],
	])('denied, when %s', async (_, broken) => {
		const {call, requests, ofType} = openCallFixture(broken);
		expect(await call('write')).toMatchObject({error: {code: 'denied', message: expect.stringContaining('gateway')}});
		expect(requests).toEqual([]);
		expect(ofType('log')).toMatchObject([{level: 'error'}]);
	});
});
