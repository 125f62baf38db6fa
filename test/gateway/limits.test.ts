import {mkdtempSync, readFileSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {describe, expect, onTestFinished, test} from 'vitest';
import {connectTo} from '../control/control-fixture.ts';
import {fixtureArguments} from '../helpers/fixture-program.ts';
import {newPostgresPlace} from '../helpers/journal-engines.ts';
import {neverAborted} from '../helpers/never-aborted.ts';
import {hasPostgres} from '../helpers/postgres-server.ts';
import {runGateway} from '../helpers/running-gateway.ts';
import {temporaryDirectory} from '../helpers/temporary-directory.ts';
import {openScriptedModel} from '../simulators/scripted-model.ts';
import {openStopFixture, type Started, stop} from './stop-fixture.ts';

const signal = neverAborted();
const patience = {timeout: 20_000};
const garden = {command: process.execPath, args: fixtureArguments('mcp-plain.ts'), trust: 'full'};

/** The provider reports so many tokens of each request, of the 16,000 and more that it may take. */
const usage = {prompt_tokens: 100, completion_tokens: 11_900};
const spentByRequest = 12_000;

/** Two requests fit one after another, and the third may take more than is left. */
const dayTokens = 40_000;

async function openLimited(limits: object, config: object = {}, startsAt?: number) {
	const file = join(mkdtempSync(join(tmpdir(), 'limits-')), 'planted');
	writeFileSync(file, '');
	const plant = (first: boolean) => (first ? {tool: 'mcp__garden__append', input: {file, text: 'Mow'}} : 'Planted.');
	const fixture = await openStopFixture(
		{plant},
		{mcp_servers: {garden}, limits, approvals: {unattended: 'deny', timeout: 5}, ...config},
		{},
		{usage, startsAt},
	);
	return {fixture, planted: () => readFileSync(file, 'utf8')};
}

const runState = (running: Started, prompt: string) => {
	const run = running.snapshot().runs.find(one => one.prompt === prompt);
	return run && `${run.state} ${run.waitingFor}`;
};
/** Runs until the second request of the second run waits for a person. */
async function reachLimit(running: Started): Promise<void> {
	await running.send('r', 'first');
	await expect.poll(() => runState(running, 'first'), patience).toBe('finished nothing');
	await running.send('r', 'plant');
	await expect.poll(() => runState(running, 'plant'), patience).toBe('running approval');
	await expect.poll(() => cards(running), patience).toEqual(['limit limits.day.tokens']);
}

const cards = (running: Started) => running.snapshot().approvals.map(({kind, tool}) => `${kind} ${tool}`);
const limitsOf = (running: Started) =>
	running.snapshot().limits.map(({path, spent, state}) => `${path} ${spent} ${state}`);

function answerCard(running: Started, how: 'allow' | 'deny'): void {
	const [card] = running.snapshot().approvals;
	const {id = '', argumentsHash = ''} = card ?? {};
	running.gateway.send(
		how === 'allow'
			? {method: 'approvals.allow', params: {id, arguments_hash: argumentsHash, scope: 'once'}}
			: {method: 'approvals.deny', params: {id}},
	);
}

const lateEvening = Date.parse('2023-11-14T23:59:00Z');

/** Moves the clock on by a minute, and lets the thread of the journal answer meanwhile. */
async function passMidnight({clock}: Pick<Awaited<ReturnType<typeof openStopFixture>>, 'clock'>): Promise<void> {
	for (let step = 0; step < 60; step++) {
		await clock.advance(1000);
		await new Promise(resolve => setTimeout(resolve, 40));
	}
}

describe('a limit of the day that is reached in the middle of a run', () => {
	test('lets it wait with its conversation, and go on once it is lifted: no tool twice', async () => {
		const {fixture, planted} = await openLimited({day: {tokens: dayTokens}});
		const running = await fixture.start();
		onTestFinished(() => stop(running, fixture));
		await reachLimit(running);
		// Two requests of 12,000 tokens were sent, and the third may take more than the 16,000 that are left.
		expect(fixture.bounds()).toHaveLength(2);
		await expect.poll(() => cards(running), patience).toEqual(['limit limits.day.tokens']);
		expect(limitsOf(running)).toEqual([`limits.day.tokens ${2 * spentByRequest} open`]);

		// Nobody is there, and it does not end by its time.
		await fixture.clock.advance(10_000);
		await running.send('r', 'behind');
		await fixture.clock.advance(10_000);
		expect([runState(running, 'plant'), runState(running, 'behind')]).toEqual(['running approval', undefined]);
		expect(cards(running)).toEqual(['limit limits.day.tokens']);

		answerCard(running, 'allow');
		await expect.poll(() => runState(running, 'plant'), patience).toBe('finished nothing');
		await expect.poll(() => runState(running, 'behind'), patience).toBe('finished nothing');
		expect(planted()).toBe('Mow');
		await fixture.clock.advance(10_000);
		expect(limitsOf(running)).toEqual([`limits.day.tokens ${4 * spentByRequest} lifted`]);
	});

	test('is asked about again after a restart, and stays lifted after another one', async () => {
		const {fixture, planted} = await openLimited({day: {tokens: dayTokens}});
		const first = await fixture.start();
		await reachLimit(first);
		await first.send('r', 'behind');
		await stop(first, fixture);
		expect(await fixture.runs()).toMatchObject({plant: 'interrupted', behind: 'queued'});

		const second = await fixture.start();
		await expect.poll(() => cards(second), patience).toEqual(['limit limits.day.tokens']);
		await fixture.clock.advance(10_000);
		expect([await queued(second), fixture.bounds().length]).toEqual([1, 2]);
		answerCard(second, 'allow');
		await expect.poll(() => runState(second, 'behind'), patience).toBe('finished nothing');
		await stop(second, fixture);

		const third = await fixture.start();
		onTestFinished(() => stop(third, fixture));
		await third.send('r', 'later');
		await expect.poll(() => runState(third, 'later'), patience).toBe('finished nothing');
		expect([cards(third), planted(), fixture.bounds().length]).toEqual([[], 'Mow', 4]);
	});

	test('ends it when a person denies more, and the others wait for the next day', async () => {
		const {fixture} = await openLimited({day: {tokens: dayTokens}}, {}, lateEvening);
		const running = await fixture.start();
		onTestFinished(() => stop(running, fixture));
		await reachLimit(running);
		answerCard(running, 'deny');
		await expect.poll(() => runState(running, 'plant'), patience).toBe('failed nothing');
		expect(running.snapshot().runs.find(({prompt}) => prompt === 'plant')?.reason).toContain(
			'limits.day.tokens is reached: more was denied by',
		);
		await running.send('r', 'behind');
		await fixture.clock.advance(10_000);
		expect([await queued(running), fixture.bounds().length, cards(running)]).toEqual([1, 2, []]);
		await passMidnight(fixture);
		await expect.poll(() => runState(running, 'behind'), patience).toBe('finished nothing');
		await fixture.clock.advance(10_000);
		expect(limitsOf(running)).toEqual([`limits.day.tokens ${spentByRequest} counting`]);
	});

	test('ends it at the end of the day', async () => {
		const {fixture} = await openLimited({day: {tokens: dayTokens}}, {}, lateEvening);
		const running = await fixture.start();
		onTestFinished(() => stop(running, fixture));
		await reachLimit(running);
		await passMidnight(fixture);
		await expect.poll(() => runState(running, 'plant'), patience).toBe('failed nothing');
		expect(cards(running)).toEqual([]);
	});

	test('is no limit any more once a reload raises it', async () => {
		const {fixture} = await openLimited({day: {tokens: dayTokens}});
		const running = await fixture.start();
		onTestFinished(() => stop(running, fixture));
		await reachLimit(running);
		const config = JSON.parse(readFileSync(running.paths.config, 'utf8')) as object;
		running.writeConfig(JSON.stringify({...config, limits: {day: {tokens: 1e9}}}));
		await running.gateway.reload();
		await expect.poll(() => runState(running, 'plant'), patience).toBe('finished nothing');
		expect(cards(running)).toEqual([]);
	});
});

const clients = new Map<string, ReturnType<typeof connectTo>>();

/** The number of runs in the queue of a gateway, by one connection to it. */
async function queued({paths}: Pick<Started, 'paths'>): Promise<number> {
	clients.set(paths.controlSocket, clients.get(paths.controlSocket) ?? connectTo(paths.controlSocket));
	const client = await clients.get(paths.controlSocket);
	const rows = (await client?.call('runs.list', {limit: 100}, {signal})) ?? [];
	return rows.filter(({state}) => state === 'queued').length;
}

test('a limit of one route withholds its runs alone, and a notice says when it is near', async () => {
	const {fixture} = await openLimited({routes: {r: {day: {runs: 2}}}, ask_at: 50});
	const running = await fixture.start();
	onTestFinished(() => stop(running, fixture));
	await running.send('r', 'one', 'two', 'three');
	await expect.poll(() => cards(running), patience).toEqual(['limit limits.routes.r.day.runs']);
	await running.send('report', 'other');
	await expect.poll(() => fixture.asked.filter(words => words === 'other'), patience).toHaveLength(1);
	expect(await queued(running)).toBe(1);
	const notices = running.events.flatMap(event =>
		event.type === 'log' && event.area === 'limits' ? [event.text] : [],
	);
	expect(notices).toEqual([
		'limits.routes.r.day.runs is near: 1 of 2 runs spent today',
		expect.stringContaining('limits.routes.r.day.runs is reached: 2 of 2 runs spent today'),
	]);
});

test('no request that was sent could take more than was left', async () => {
	const {fixture} = await openLimited({day: {tokens: 60_000}});
	const running = await fixture.start();
	onTestFinished(() => stop(running, fixture));
	await running.send('r', ...Array.from({length: 8}, (_, index) => `run ${index}`));
	await expect.poll(() => cards(running), patience).toEqual(['limit limits.day.tokens']);
	await fixture.clock.advance(10_000);
	fixture.bounds().forEach((bound, index) => {
		expect(index * spentByRequest + bound).toBeLessThanOrEqual(60_000);
	});
	expect(fixture.bounds().length).toBeGreaterThan(1);
	await expect.poll(() => queued(running), patience).toBe(8 - fixture.bounds().length);
});

test('status and the dashboard show the limits', async () => {
	const {fixture} = await openLimited({
		day: {tokens: 100_000, usd: 5},
		prices: {scripted: {input: 1, output: 100}},
	});
	const running = await fixture.start();
	onTestFinished(() => stop(running, fixture));
	await running.send('r', 'one');
	await expect.poll(() => runState(running, 'one'), patience).toBe('finished nothing');
	const client = await connectTo(running.paths.controlSocket);
	const {limits} = await client.call('status', {}, {signal});
	expect(limits).toEqual([
		{
			path: 'limits.day.tokens',
			unit: 'tokens',
			spent: 12_000,
			limit: 100_000,
			state: 'counting',
			ends_at: Date.parse('2023-11-15'),
		},
		{path: 'limits.day.usd', unit: 'usd', spent: 1.19, limit: 5, state: 'counting', ends_at: Date.parse('2023-11-15')},
	]);
	await fixture.clock.advance(10_000);
	expect(limitsOf(running)).toEqual(['limits.day.tokens 12000 counting', 'limits.day.usd 1.19 counting']);
});

describe.skipIf(!hasPostgres)('two gateways on one PostgreSQL', () => {
	test('share a limit of the day and one question, which either of them answers', async () => {
		const {database} = await newPostgresPlace();
		const model = await openScriptedModel(() => 'Done.', usage);
		onTestFinished(model.close);
		const open = async (node: string) =>
			runGateway(
				JSON.stringify({
					gateway: {endpoint: {port: 0}},
					journal: {url: database.url, schema: database.schema, node, pool: 3, lease: 5},
					model: {provider: 'openai-compatible', base_url: model.baseUrl, name: 'scripted'},
					limits: {day: {tokens: 50_000}},
					platforms: {
						webhook: {enabled: true, port: 0, secret: 'INSECURE_NO_AUTH', routes: {r: {prompt: '{text}'}}},
					},
				}),
				temporaryDirectory(),
			);
		const [one, two] = [await open('web-1'), await open('web-2')];
		const posted = [one, two].flatMap(({gateway}) =>
			Array.from({length: 4}, (_, index) =>
				fetch(`${gateway.webhookUrl()}/webhooks/r`, {method: 'POST', body: JSON.stringify({text: `${index}`})}),
			),
		);
		expect((await Promise.all(posted)).map(({status}) => status)).toEqual(Array.from({length: 8}, () => 202));
		const cardsOf = ({snapshot}: typeof one) => snapshot().approvals.map(({tool}) => tool);
		await expect
			.poll(() => [cardsOf(one), cardsOf(two)], patience)
			.toEqual([['limits.day.tokens'], ['limits.day.tokens']]);
		expect(model.bounds().length).toBeLessThanOrEqual(3);
		model.bounds().forEach((bound, index) => {
			expect(index * spentByRequest + bound).toBeLessThanOrEqual(50_000);
		});

		const other = one.snapshot().approvals[0]?.askedAt === undefined ? two : one;
		const [card] = other.snapshot().approvals;
		other.gateway.send({
			method: 'approvals.allow',
			params: {id: card?.id ?? '', arguments_hash: card?.argumentsHash ?? '', scope: 'once'},
		});
		await expect.poll(() => model.asked().length, patience).toBe(8);
		await expect.poll(() => [cardsOf(one), cardsOf(two)], patience).toEqual([[], []]);
	});
});
