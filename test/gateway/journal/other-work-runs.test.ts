import {describe, expect, test} from 'vitest';
import {type JsonObject} from '../../../source/util/json-text.ts';
import {connectTo} from '../../control/control-fixture.ts';
import {newPostgresPlace} from '../../helpers/journal-engines.ts';
import {neverAborted} from '../../helpers/never-aborted.ts';
import {onTestFinished} from '../../helpers/on-test-finished.ts';
import {hasPostgres} from '../../helpers/postgres-server.ts';
import {runSluice} from '../../helpers/run-sluice.ts';
import {runGateway} from '../../helpers/running-gateway.ts';
import {openScriptedModel} from '../../simulators/scripted-model.ts';

const signal = neverAborted();

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
		// Nobody looks at the others for no one.
		const follower = await connectTo(running.paths.controlSocket);
		void follower.call('events.follow', {}, {signal}).catch(() => undefined);
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
		const onNote = (event: JsonObject) => void followed.push(event);
		const following = follower.call('events.follow', {}, {signal: end.signal, onNote}).catch(() => undefined);
		const answered = () =>
			two
				.snapshot()
				.events.flatMap(event => (event.type === 'webhook.settled' ? [`${event.route} ${event.node}`] : []));
		let sent = 0;
		// Events before the first look of the second gateway are no news there.
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
		const {one, two, send, asked} = await openTwo(() => answer.promise);
		await send('think');
		await expect.poll(() => asked().length, {timeout: 10_000}).toBe(1);
		await expect.poll(() => one.snapshot().runs[0]?.state, {timeout: 10_000}).toBe('running');
		const id = one.snapshot().runs[0]?.runId ?? '';
		await expect(one.client.call('runs.cancel', {id}, {signal})).rejects.toMatchObject({
			code: 'run_elsewhere',
			message: 'The run is in progress on web-2',
			remedy: `On web-2, run \`sluice runs cancel ${id}\``,
		});
		const cancel = async (home: string) => runSluice({home}, 'runs', 'cancel', id);
		expect((await cancel(one.paths.root)).stderr).toContain(
			'sluice: The run is in progress on web-2\n        On web-2, run',
		);
		// The command of the remedy, where it says.
		expect(await cancel(two.paths.root)).toMatchObject({code: 0, stderr: 'Cancelled.\n'});
		await expect.poll(() => one.snapshot().runs[0]?.state, {timeout: 10_000}).toBe('cancelled');
		answer.resolve('Done.');
	});
});
