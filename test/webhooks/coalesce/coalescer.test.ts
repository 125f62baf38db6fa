import {join} from 'node:path';
import {describe, expect, test} from 'vitest';
import {Problem} from '../../../source/util/problem.ts';
import {coalesceKey} from '../../../source/webhooks/coalesce/coalescer.ts';
import {createFakeClock} from '../../helpers/fake-clock.ts';
import {crashImage, openTestJournal} from '../../helpers/journal-records.ts';
import {temporaryDirectory} from '../../helpers/temporary-directory.ts';
import {openHandler} from '../open-handler.ts';
import {openAdapter} from '../open-adapter.ts';
import {webhookConfig} from '../webhook-config.ts';
import {to} from '../../helpers/destinations.ts';

const coalesce = {key: 'pr', windowSeconds: 30, maxWaitSeconds: 100};
const config = {name: 'r', prompt: '{title}', deliver: to('telegram', {chat_id: '{title}'}), coalesce};

function openBurst(options: Parameters<typeof openHandler>[0] = {}) {
	const handler = openHandler({routes: [config, {...config, name: 's'}], rateLimit: 1000, ...options});
	const send = (body: object, request: {url?: string; id?: string} = {}) =>
		handler.post({
			url: request.url ?? '/webhooks/r',
			body: JSON.stringify(body),
			headers: {'x-github-event': 'push', ...(request.id ? {'x-request-id': request.id} : {})},
		});
	const prompts = () => handler.journal.runs.map(({prompt}) => prompt);
	return {...handler, send, prompts};
}

describe('a burst', () => {
	test('is answered 202 coalesced, each event a row with its body', async () => {
		const {send, journal} = openBurst();
		expect(await send({pr: 1}, {id: 'one'})).toMatchObject({
			status: 202,
			body: {status: 'coalesced', route: 'r', event: 'push', delivery_id: 'one'},
		});
		expect(journal.rows).toMatchObject([{status: 202, outcome: 'coalesced', body: expect.anything()}]);
		expect(journal.rows).toHaveLength(1);
	});

	test('is one run with the latest event and a note, after the quiet window', async () => {
		const {send, clock, journal, state} = openBurst();
		await send({pr: 1, title: 'first'});
		await clock.advance(20_000);
		await send({pr: 1, title: 'second'});
		await clock.advance(20_000);
		await send({pr: 1, title: 'third'}, {id: 'three'});
		await clock.advance(29_999);
		expect([journal.runs, state.wakes]).toEqual([[], 0]);
		await clock.advance(1);
		expect(journal.runs).toMatchObject([
			{
				prompt: 'third\n\n(Superseded by this event: 2 earlier events about the same entity.)',
				deliver: to('telegram', {chat_id: 'third'}),
				deliveryId: 'three',
			},
		]);
		expect([state.wakes, clock.open()]).toEqual([1, 0]);
	});

	test('that does not end is dispatched after the longest wait, and then starts over', async () => {
		const {send, clock, prompts} = openBurst();
		for (let count = 0; count < 12; count++) {
			await send({pr: 1, title: `${count}`});
			await clock.advance(10_000);
		}

		expect(prompts()).toEqual(['9\n\n(Superseded by this event: 9 earlier events about the same entity.)']);
		await clock.advance(30_000);
		expect(prompts()[1]).toBe('11\n\n(Superseded by this event: 1 earlier event about the same entity.)');
	});

	test('of one event has no note', async () => {
		const {send, clock, prompts} = openBurst();
		await send({pr: 1, title: 'alone'});
		await clock.advance(30_000);
		expect(prompts()).toEqual(['alone']);
	});

	test('is one per key and route', async () => {
		const {send, clock, prompts} = openBurst();
		await send({pr: 1, title: 'r1'});
		await send({pr: 2, title: 'r2'});
		await send({pr: 1, title: 's1'}, {url: '/webhooks/s'});
		await clock.advance(30_000);
		expect(prompts().sort()).toEqual(['r1', 'r2', 's1']);
	});

	test('without a key is not held back', async () => {
		const {send, journal, state} = openBurst();
		expect(await send({title: 'keyless'})).toMatchObject({status: 202, body: {status: 'accepted'}});
		expect([journal.runs.length, state.wakes]).toEqual([1, 1]);
	});

	test('does not count a delivery that came before', async () => {
		const {send, clock, prompts} = openBurst();
		await send({pr: 1, title: 'one'}, {id: 'same'});
		await clock.advance(20_000);
		expect(await send({pr: 1, title: 'again'}, {id: 'same'})).toMatchObject({status: 200, body: {status: 'duplicate'}});
		await clock.advance(10_000);
		expect(prompts()).toEqual(['one']);
	});

	test('that finds the queue full is refused unless its window is open', async () => {
		const {send, journal} = openBurst({queueLimit: 1});
		await send({pr: 1}, {id: 'a'});
		expect(await send({pr: 2}, {id: 'b'})).toMatchObject({status: 503, body: {error: 'Queue full'}});
		expect(await send({pr: 1}, {id: 'c'})).toMatchObject({status: 202});
		expect([...journal.claimed.keys()]).toEqual(['r a', 'r c']);
	});

	test('that cannot be dispatched is tried again', async () => {
		const {send, clock, journal, ofType, prompts} = openBurst();
		await send({pr: 1, title: 'kept'});
		journal.breakWith(new Problem('storage_unavailable'));
		await clock.advance(30_000);
		// The journal has said so.
		expect(ofType('log')).toEqual([]);
		journal.breakWith(undefined);
		await clock.advance(5000);
		expect(prompts()).toEqual(['kept']);
	});

	test('whose run was queued by a try that was reported as failed wakes the queue at the next one', async () => {
		const {send, clock, journal, state} = openBurst();
		await send({pr: 1, title: 'kept'});
		await journal.takeWindow({route: 'r', key: '1'});
		await clock.advance(30_000);
		expect([journal.runs.length, state.wakes]).toEqual([1, 1]);
	});
});

describe('when the adapter disconnects', () => {
	test('what waits is dispatched at once, with its note, and once', async () => {
		const {send, clock, coalescer, prompts} = openBurst();
		await send({pr: 1, title: 'a'});
		await send({pr: 1, title: 'b'});
		await send({pr: 2, title: 'c'});
		await coalescer.close();
		await clock.advance(1_000_000);
		expect(prompts()).toEqual(['b\n\n(Superseded by this event: 1 earlier event about the same entity.)', 'c']);
	});

	test('what comes in after that waits no more', async () => {
		const {send, clock, coalescer, prompts} = openBurst();
		await coalescer.close();
		await send({pr: 1, title: 'late'});
		await clock.settle();
		expect(prompts()).toEqual(['late']);
	});

	test.each<[string, Parameters<typeof webhookConfig>[0]]>([
		['webhooks are turned off', {enabled: false}],
		['the address changes', {host: '127.0.0.2'}],
	])('because %s, it is flushed', async (_why, change) => {
		const {adapter, url, journal} = await openAdapter({config: webhookConfig({routes: [config]})});
		await fetch(`${url}/webhooks/r`, {method: 'POST', body: '{"pr":1}'});
		expect(journal.runs).toEqual([]);
		await adapter.apply(webhookConfig({routes: [config], ...change}));
		expect(journal.runs).toHaveLength(1);
	});

	test('and a change of routes alone flushes nothing', async () => {
		const {adapter, url, journal} = await openAdapter({config: webhookConfig({routes: [config]})});
		await fetch(`${url}/webhooks/r`, {method: 'POST', body: '{"pr":1}'});
		await adapter.apply(webhookConfig({routes: [config, {name: 'other'}]}));
		expect(journal.runs).toEqual([]);
		await adapter.close();
		expect(journal.runs).toHaveLength(1);
	});
});

describe('after a hard kill', () => {
	/** Sends two events 20 seconds apart and answers what a kill would leave on the disk then. */
	async function killed() {
		const path = join(temporaryDirectory(), 'journal.db');
		const clock = createFakeClock();
		const journal = openTestJournal({path, clock});
		const {url} = await openAdapter({config: webhookConfig({routes: [config]}), clock, journal});
		await fetch(`${url}/webhooks/r`, {method: 'POST', body: '{"pr":1,"title":"a"}', headers: {'x-request-id': 'one'}});
		await clock.advance(20_000);
		await fetch(`${url}/webhooks/r`, {method: 'POST', body: '{"pr":1,"title":"b"}'});
		return {path: crashImage(path), time: clock.now()};
	}

	async function restart(left: {readonly path: string; readonly time: number}, routes = [config] as object[]) {
		const clock = createFakeClock(left.time);
		const journal = openTestJournal({path: left.path, clock});
		const adapter = await openAdapter({
			config: webhookConfig({routes: routes as (typeof config)[]}),
			clock,
			journal,
		});
		const prompts = async () => (await journal.listRuns({limit: 10})).map(({prompt}) => prompt);
		return {...adapter, clock, prompts};
	}

	const noted = 'b\n\n(Superseded by this event: 1 earlier event about the same entity.)';

	test('an open window is taken up and dispatched when it is over', async () => {
		const {clock, prompts} = await restart(await killed());
		await clock.advance(29_999);
		expect(await prompts()).toEqual([]);
		await clock.advance(1);
		expect(await prompts()).toEqual([noted]);
	});

	test('a window that ended meanwhile is dispatched at once', async () => {
		const left = await killed();
		const {clock, prompts} = await restart({...left, time: left.time + 3_600_000});
		await clock.advance(0);
		expect(await prompts()).toEqual([noted]);
	});

	test('a clock that went back does not lengthen a window', async () => {
		const left = await killed();
		const {clock, prompts} = await restart({...left, time: left.time - 3_600_000});
		await clock.advance(30_000);
		expect(await prompts()).toEqual([noted]);
	});

	test('a window goes on taking events, and knows its deliveries', async () => {
		const {clock, url, prompts} = await restart(await killed());
		const post = (body: string, id: string) =>
			fetch(`${url}/webhooks/r`, {method: 'POST', body, headers: {'x-request-id': id}});
		expect(await (await post('{"pr":1,"title":"a"}', 'one')).json()).toMatchObject({status: 'duplicate'});
		await clock.advance(10_000);
		await post('{"pr":1,"title":"c"}', 'three');
		await clock.advance(29_999);
		expect(await prompts()).toEqual([]);
		await clock.advance(1);
		expect(await prompts()).toEqual(['c\n\n(Superseded by this event: 2 earlier events about the same entity.)']);
	});

	test('a window whose route coalesces no more is dispatched at once', async () => {
		const {clock, prompts} = await restart(await killed(), [{...config, coalesce: undefined}]);
		await clock.settle();
		expect(await prompts()).toEqual([noted]);
	});
});

describe('the key of an event', () => {
	const payload = {id: 7, name: 'n', none: null, blank: ' ', deep: {id: 'x'}, list: [1], off: false};
	const scope = {payload, event: 'push', deliveryId: 'd', route: 'r'};
	const key = (text: string, over = scope) => coalesceKey(text, over, new Map([['x-entity', 'e']]));

	test.each([
		['id', '7'],
		['deep.id', 'x'],
		['payload.deep.id', 'x'],
		['list.0', '1'],
		['deep', '{"id":"x"}'],
		['off', 'false'],
		['event', 'push'],
		['headers.X-Entity', 'e'],
		['{deep.id}#{id}', 'x#7'],
		['{event_type}/{name}', 'push/n'],
		['missing', undefined],
		['none', undefined],
		['blank', undefined],
		['{id}{missing}', undefined],
		['{id}{none}', undefined],
		['{blank}', undefined],
		['{__proto__}', undefined],
	])('%s resolves to %s', (text, expected) => {
		expect(key(text)).toBe(expected);
	});

	test('two long keys with the same beginning stay two', () => {
		const long = (end: string) => key('name', {...scope, payload: {...payload, name: 'x'.repeat(5000) + end}});
		expect(long('a')).toMatch(/^sha256:[0-9a-f]{64}$/u);
		expect(long('a')).not.toBe(long('b'));
		expect(long('a')).toBe(long('a'));
	});
});
