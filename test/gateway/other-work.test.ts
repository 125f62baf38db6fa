import {describe, expect, test} from 'vitest';
import {createOtherWork} from '../../source/gateway/journal/other-work.ts';
import {type RunRow} from '../../source/journal/journal.ts';
import {type OtherWork, type OtherWorkQuery} from '../../source/journal/operations.ts';
import {createEventBus} from '../../source/state/event-bus.ts';
import {openLiveSnapshot} from '../../source/state/gathered-snapshot.ts';
import {type JsonObject} from '../../source/util/json-text.ts';
import {connectTo} from '../control/control-fixture.ts';
import {createFakeClock} from '../helpers/fake-clock.ts';
import {newPostgresPlace} from '../helpers/journal-engines.ts';
import {sampleEvent, sampleRun} from '../helpers/journal-records.ts';
import {neverAborted} from '../helpers/never-aborted.ts';
import {onTestFinished} from '../helpers/on-test-finished.ts';
import {hasPostgres} from '../helpers/postgres-server.ts';
import {runGateway} from '../helpers/running-gateway.ts';
import {openScriptedModel} from '../simulators/scripted-model.ts';

const signal = neverAborted();

describe('what a look at the others finds', () => {
	const open = () => {
		const published: unknown[] = [];
		const eventBus = createEventBus({clock: createFakeClock(), redact: event => event});
		const live = openLiveSnapshot(eventBus);
		eventBus.listenToAll(event => {
			if (event.type === 'webhook.settled') {
				published.push([event.eventId, event.outcome, event.node]);
			} else if (event.type === 'run.state') {
				published.push([event.runId, event.state, event.node]);
			}
		});
		const asked: OtherWorkQuery[] = [];
		let found: Partial<OtherWork> = {};
		const look = createOtherWork({
			journal: {
				async listOtherWork(query) {
					asked.push(query);
					return {last: {event: 1, run: 1}, events: [], runs: [], ...found};
				},
			},
			live,
			eventBus,
			profiles: ['default'],
		});
		return {
			asked,
			look: async (next: Partial<OtherWork>) => {
				found = next;
				await look();
				return published.splice(0);
			},
		};
	};

	const event = (id: string, isOpen = false) => ({...sampleEvent({id}), node: 'web-2', isOpen});
	const run = (id: string, state: RunRow['state'], node?: string) => ({...sampleRun({id}), state, changedAt: 1, node});

	test('is published, but for events and runs that were over before this gateway came', async () => {
		const {look, asked} = open();
		expect(
			await look({
				events: [event('old')],
				runs: [run('ended', 'finished', 'web-2'), run('goes on', 'running', 'web-2')],
			}),
		).toEqual([['goes on', 'running', 'web-2']]);
		expect(await look({events: [event('new')], runs: [run('goes on', 'finished', 'web-2')]})).toEqual([
			['new', 'accepted', 'web-2'],
			['goes on', 'finished', 'web-2'],
		]);
		await look({});
		expect(asked.at(-1)).toMatchObject({
			after: {event: 1, run: 1},
			knownEvents: ['old', 'new'],
			knownRuns: [
				{id: 'ended', state: 'finished'},
				{id: 'goes on', state: 'finished'},
			],
		});
	});

	test('is published of an open event once it is over, and of a run that this gateway has begun by itself alone', async () => {
		const {look, asked} = open();
		await look({});
		expect(await look({events: [event('open', true)], runs: [run('r', 'running', 'web-2')]})).toEqual([
			['r', 'running', 'web-2'],
		]);
		expect(await look({events: [event('open')], runs: [run('r', 'queued')]})).toEqual([
			['open', 'accepted', 'web-2'],
			['r', 'queued', undefined],
		]);
		expect(asked.at(-1)?.openEvents).toEqual(['open']);
		expect(await look({runs: [run('r', 'running')]})).toEqual([]);
		expect(asked.at(-1)?.openEvents).toEqual([]);
	});
});

/** Two gateways with one route on a journal of their own, the second of which has a model where there is one that answers. */
async function openTwo(answer?: () => string | Promise<string>) {
	const {database} = await newPostgresPlace();
	const model = await openScriptedModel(answer ?? (() => ''));
	onTestFinished(model.close);
	const open = async (node: string, more: object) => {
		const running = await runGateway(
			JSON.stringify({
				journal: {url: database.url, schema: database.schema, node, pool: 2},
				platforms: {
					webhook: {enabled: true, port: 0, routes: {orders: {secret: 'INSECURE_NO_AUTH', prompt: '{text}'}}},
				},
				...more,
			}),
		);
		return {...running, client: await connectTo(running.paths.controlSocket)};
	};

	const withModel = {model: {provider: 'openai-compatible', base_url: model.baseUrl, name: 'scripted'}};
	const two = await open('web-2', answer ? withModel : {});
	const one = await open('web-1', {});
	const send = async (text: string) => {
		const sent = await fetch(`${one.gateway.webhookUrl()}/webhooks/orders`, {
			method: 'POST',
			body: JSON.stringify({text}),
		});
		expect(sent.status).toBe(202);
	};
	return {one, two, send, asked: model.asked};
}

describe.skipIf(!hasPostgres)('two gateways on one journal', () => {
	test('each shows what the other answers and runs with its name, and logs and counts only what is its own', async () => {
		const {one, two, send} = await openTwo(() => 'All is well');
		const followed: JsonObject[] = [];
		const follower = await connectTo(two.paths.controlSocket);
		const end = new AbortController();
		const following = follower.follow(event => void followed.push(event), {signal: end.signal}).catch(() => undefined);
		const answered = () =>
			two
				.snapshot()
				.events.flatMap(event => (event.type === 'webhook.settled' ? [`${event.route} ${event.node}`] : []));
		let sent = 0;
		// What came before the first look of the second gateway is no news there.
		await expect
			.poll(async () => (await send(`look ${++sent}`), answered()), {timeout: 10_000, interval: 500})
			.toContain('orders web-1');
		const runs = () =>
			one.snapshot().runs.map(({state, node, route, answer}) => [state, node, route, answer].join(' '));
		await expect.poll(runs, {timeout: 10_000}).toEqual(Array(sent).fill('finished web-2 orders All is well'));
		expect(new Set(answered())).toEqual(new Set(['orders web-1']));
		expect(followed.filter(({type}) => type === 'webhook.settled')).toHaveLength(answered().length);
		const settled = (events: ReadonlyArray<{readonly type: string}>) =>
			events.filter(({type}) => type === 'webhook.settled').length;
		expect([settled(one.events), settled(two.events)]).toEqual([sent, 0]);
		end.abort();
		await following;
	});

	test('an inbox item is shown at both, and gone from both once it was answered at one', async () => {
		const {one, two, send} = await openTwo();
		const states = () => [one, two].map(({snapshot}) => snapshot().runs.map(({state}) => state));
		await send('help');
		await expect.poll(states, {timeout: 10_000}).toEqual([['inbox'], ['inbox']]);
		const id = one.snapshot().runs[0]?.runId ?? '';
		expect(await two.client.call('runs.answer', {id, text: 'Done.'}, {signal})).toMatchObject({reason: null});
		await expect.poll(states, {timeout: 10_000}).toEqual([['finished'], ['finished']]);
	});

	test('a run of the other cannot be cancelled, and the answer says where it can', async () => {
		const answer = Promise.withResolvers<string>();
		const {one, send, asked} = await openTwo(() => answer.promise);
		await send('think');
		await expect.poll(() => asked().length, {timeout: 10_000}).toBe(1);
		await expect.poll(() => one.snapshot().runs[0]?.state, {timeout: 10_000}).toBe('running');
		const id = one.snapshot().runs[0]?.runId ?? '';
		await expect(one.client.call('runs.cancel', {id}, {signal})).rejects.toMatchObject({
			code: 'unknown_run',
			message: expect.stringContaining('The gateway web-2 has this run'),
		});
		answer.resolve('Done.');
		await expect.poll(() => one.snapshot().runs[0]?.state, {timeout: 10_000}).toBe('finished');
	});
});
