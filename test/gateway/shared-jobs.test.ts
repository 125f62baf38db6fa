import {describe, expect, onTestFinished, test} from 'vitest';
import {type JournalDatabase} from '../../source/journal/postgres/connection.ts';
import {openOwnClient} from '../../source/gateway/own-client.ts';
import {systemClock} from '../../source/util/clock.ts';
import {connectTo} from '../control/control-fixture.ts';
import {newPostgresPlace} from '../helpers/journal-engines.ts';
import {createTestRuntime} from '../helpers/gateway-parts.ts';
import {writeConfig} from '../helpers/sluice.ts';
import {neverAborted} from '../helpers/never-aborted.ts';
import {administer, hasPostgres} from '../helpers/postgres-server.ts';
import {runGateway} from '../helpers/running-gateway.ts';
import {temporaryDirectory} from '../helpers/temporary-directory.ts';
import {openScriptedModel} from '../simulators/scripted-model.ts';

const signal = neverAborted();

const newJob = (name: string, schedule: string) => ({
	name,
	prompt: 'Write it',
	schedule,
	time_zone: 'UTC',
	deliver: 'log',
	deliver_extra: {},
	skills: [],
});

const configOf = ({url, schema}: JournalDatabase, node: string, rest: object = {}) =>
	JSON.stringify({
		gateway: {endpoint: {port: 0}},
		journal: {url, schema, node, pool: 2, lease: 3},
		...rest,
	});

/** Starts a gateway on the journal of this database. */
async function openNode(database: JournalDatabase, node: string, rest: object = {}) {
	const running = await runGateway(configOf(database, node, rest), temporaryDirectory());
	const client = await connectTo(running.paths.controlSocket);
	return {
		...running,
		client,
		/** The state of the one job and how its run ended: in the dashboard, and in the list of a command. */
		async shown() {
			const row = running.events.findLast(event => event.type === 'cron.job');
			const [listed] = await client.call('cron.list', {}, {signal});
			return [row?.state, row?.lastStatus, listed?.state, listed?.last_status];
		},
	};
}

describe.skipIf(!hasPostgres)('gateways on one journal', () => {
	test('show a job that one has begun and whose run another has taken as running, until it has ended there', async () => {
		const {database} = await newPostgresPlace();
		const answer = Promise.withResolvers<string>();
		const model = await openScriptedModel(() => answer.promise);
		onTestFinished(model.close);
		const taking = await openNode(database, 'web-2', {
			model: {provider: 'openai-compatible', base_url: model.baseUrl, name: 'scripted'},
		});
		const hasModel = async () =>
			JSON.stringify(await administer(database.url, `SELECT facts FROM ${database.schema}.nodes`));
		await expect.poll(hasModel, {timeout: 10_000}).toContain('default');
		// It looks at the others before it parks anything.
		const beginning = await openNode(database, 'web-1');
		const {id} = await beginning.client.call('cron.create', newJob('Report', 'every 10m'), {signal});
		expect(await beginning.client.call('cron.run', {reference: id}, {signal})).toMatchObject({outcome: 'fired'});
		await expect.poll(() => model.asked().length, {timeout: 10_000}).toBe(1);
		const both = () => Promise.all([beginning.shown(), taking.shown()]);
		const running = ['running', 'running', 'running', 'running'];
		await expect.poll(both, {timeout: 10_000}).toEqual([running, running]);
		answer.resolve('Done.');
		const ended = ['scheduled', 'finished', 'scheduled', 'finished'];
		await expect.poll(both, {timeout: 10_000}).toEqual([ended, ended]);
	});

	test('go by the clock of its database from the start, whatever theirs says', async () => {
		const {database} = await newPostgresPlace();
		const home = temporaryDirectory();
		writeConfig(home, configOf(database, 'web-1'));
		const jobs = openOwnClient(createTestRuntime(home), {signal, report: () => undefined});
		await jobs.call('cron.create', newJob('Later', 'every 30m'));
		await jobs.call('cron.create', newJob('Soon', new Date(Date.now() + 1000).toISOString()));
		await jobs.close();
		const clock = {...systemClock, now: () => systemClock.now() + 3_600_000};
		const {events} = await runGateway(configOf(database, 'web-1'), home, {clock});
		const fired = () => events.flatMap(event => (event.type === 'cron.fired' ? event.job : []));
		await expect.poll(fired, {timeout: 10_000}).toContain('Soon');
		expect(fired()).toEqual(['Soon']);
	});
});
