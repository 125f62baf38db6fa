import {existsSync, readFileSync} from 'node:fs';
import {join} from 'node:path';
import {DatabaseSync} from 'node:sqlite';
import {describe, expect, test} from 'vitest';
import {type GatewayEvent} from '../../source/state/event.ts';
import {journalFault} from '../helpers/database-journal.ts';
import {fixtureArguments} from '../helpers/fixture-program.ts';
import {newPostgresPlace} from '../helpers/journal-engines.ts';
import {onTestFinished} from '../helpers/on-test-finished.ts';
import {hasPostgres} from '../helpers/postgres-server.ts';
import {proxiedDatabase} from '../helpers/proxied-database.ts';
import {type RunningGateway, runGateway} from '../helpers/running-gateway.ts';
import {temporaryDirectory} from '../helpers/temporary-directory.ts';
import {openTelegram} from '../simulators/platforms/telegram.ts';
import {openScriptedModel} from '../simulators/scripted-model.ts';

/** A journal that can go away and come back. */
type Away = {
	readonly section: object;
	readonly variables: Readonly<Record<string, string>>;
	readonly goAway: () => void;
	readonly comeBack: () => void;
};

/** Another writer holds the file, so that nothing can be written, as on a full disk. */
async function fileThatRefuses(root: string): Promise<Away> {
	let other: DatabaseSync | undefined;
	onTestFinished(() => other?.isOpen && other.close());
	return {
		section: {},
		variables: {},
		goAway() {
			other = new DatabaseSync(join(root, 'journal.db'));
			other.exec('BEGIN IMMEDIATE');
		},
		comeBack: () => other?.close(),
	};
}

async function databaseThatIsAway(): Promise<Away> {
	const {database} = await newPostgresPlace();
	const {url, ...rest} = await proxiedDatabase(database.url);
	return {
		section: {url: '${JOURNAL_URL}', schema: database.schema, pool: 3},
		variables: {JOURNAL_URL: url.href},
		...rest,
	};
}

const engines = [
	{engine: 'a file', openAway: fileThatRefuses},
	...(hasPostgres ? [{engine: 'a database', openAway: databaseThatIsAway}] : []),
];

const patience = {timeout: 30_000};

/** A gateway whose model calls a tool that writes, and then answers; each step waits until the test lets it go on. */
async function openFixture(openAway: (root: string) => Promise<Away>, journal: object = {}) {
	const root = temporaryDirectory();
	const away = await openAway(root);
	const file = join(root, 'written');
	const steps = {call: Promise.withResolvers<void>(), answer: Promise.withResolvers<void>()};
	const asked: string[] = [];
	const model = await openScriptedModel(async ({results}) => {
		const step = results.length === 0 ? 'call' : 'answer';
		asked.push(step);
		await steps[step].promise;
		return step === 'call' ? {tool: 'mcp__garden__append', input: {file, text: 'x'}} : 'Done.';
	});
	onTestFinished(model.close);
	const telegram = await openTelegram();
	onTestFinished(telegram.close);
	const yaml = JSON.stringify({
		journal: {...away.section, ...journal},
		gateway: {endpoint: {enabled: false}},
		mcp_servers: {garden: {command: process.execPath, args: fixtureArguments('mcp-plain.ts'), trust: 'full'}},
		model: {provider: 'openai-compatible', base_url: model.baseUrl, name: 'scripted'},
		platforms: {
			telegram: telegram.settings,
			webhook: {
				enabled: true,
				port: 0,
				secret: 'INSECURE_NO_AUTH',
				routes: {
					report: {
						prompt: '{text}',
						toolsets: ['mcp-garden'],
						deliver: 'telegram',
						deliver_extra: {chat_id: '-1001234567890'},
					},
				},
			},
		},
	});
	const running = await runGateway(yaml, root, {variables: away.variables});
	const {gateway, eventWhere} = running;
	await eventWhere(event => event.type === 'server.state' && event.state === 'connected');
	const posted = await fetch(`${gateway.webhookUrl()}/webhooks/report`, {method: 'POST', body: '{"text":"news"}'});
	expect(posted.status).toBe(202);
	await expect.poll(() => asked, patience).toEqual(['call']);
	return {running, away, steps, asked, file, telegram};
}

type Fixture = Awaited<ReturnType<typeof openFixture>>;

const isRun = (state: string) => (event: GatewayEvent) => event.type === 'run.state' && event.state === state;
const stateOf = ({events}: RunningGateway) =>
	events.flatMap(event => (event.type === 'run.state' ? [event.state] : [])).at(-1);
const isWaiting = (event: GatewayEvent) => event.type === 'log' && /cannot store finished runs/u.test(event.text);

/** When the journal goes away, and what shows that the run has come to where it needs it. */
const moments: ReadonlyArray<{
	readonly moment: string;
	readonly reach: (fixture: Fixture) => Promise<void>;
}> = [
	{
		moment: 'before a call that writes is sent, which waits',
		async reach({away, steps, running, file, asked}) {
			away.goAway();
			steps.call.resolve();
			await running.eventWhere(journalFault('there'));
			expect([existsSync(file), asked]).toEqual([false, ['call']]);
		},
	},
	{
		moment: 'while the model answers, whose answer is kept',
		async reach({away, steps, running, asked, telegram}) {
			steps.call.resolve();
			await expect.poll(() => asked, patience).toEqual(['call', 'answer']);
			away.goAway();
			steps.answer.resolve();
			await running.eventWhere(isWaiting);
			expect(telegram.received).toEqual([]);
		},
	},
	{
		moment: 'while its answer is delivered, whose end is kept',
		async reach({away, steps, running, telegram}) {
			telegram.plan({kind: 'rate-limited', waitSeconds: 1});
			steps.call.resolve();
			steps.answer.resolve();
			await expect.poll(() => telegram.requests(), patience).toBe(1);
			away.goAway();
			await running.eventWhere(isWaiting);
		},
	},
];

describe.each(engines)('While the journal is away, $engine', ({openAway}) => {
	test.each(moments)('$moment: the run ends as if nothing had been', async ({reach}) => {
		const fixture = await openFixture(openAway);
		const {running, away, steps, asked, file, telegram} = fixture;
		await reach(fixture);
		expect(stateOf(running)).toBe('running');
		steps.answer.resolve();
		away.comeBack();
		await expect.poll(() => stateOf(running), patience).toBe('finished');
		expect([readFileSync(file, 'utf8'), asked, telegram.received.map(({text}) => text)]).toEqual([
			'x',
			['call', 'answer'],
			['Done.'],
		]);
		expect(running.events.some(isRun('failed'))).toBe(false);
	});

	test('a stop that cannot write how a run ended fails, and says so', async () => {
		const {running, away, steps, asked} = await openFixture(openAway);
		steps.call.resolve();
		await expect.poll(() => asked, patience).toEqual(['call', 'answer']);
		away.goAway();
		steps.answer.resolve();
		await running.eventWhere(isWaiting);
		await expect(running.gateway.stop('enough')).rejects.toMatchObject({
			code: 'storage_unavailable',
			message: expect.stringMatching(/stopped; (1 finished run|\d finished runs).* not stored$/u),
		});
		away.comeBack();
	});

	test('a run is interrupted whose call cannot be made within its patience, and the model is not asked again', async () => {
		const {running, away, steps, asked, file} = await openFixture(openAway, {patience: 1});
		steps.answer.resolve();
		away.goAway();
		steps.call.resolve();
		await running.eventWhere(isWaiting);
		away.comeBack();
		await expect.poll(() => stateOf(running), patience).toBe('interrupted');
		expect([existsSync(file), asked]).toEqual([false, ['call']]);
	});
});
