import {describe, expect, onTestFinished, test} from 'vitest';
import {type JournalDatabase} from '../../source/journal/postgres/connection.ts';
import {connectTo} from '../control/control-fixture.ts';
import {newPostgresPlace} from '../helpers/journal-engines.ts';
import {neverAborted} from '../helpers/never-aborted.ts';
import {administer, hasPostgres} from '../helpers/postgres-server.ts';
import {runGateway} from '../helpers/running-gateway.ts';
import {temporaryDirectory} from '../helpers/temporary-directory.ts';
import {openScriptedModel} from '../simulators/scripted-model.ts';

const signal = neverAborted();

const job = {
	name: 'Report',
	prompt: 'Write it',
	schedule: 'every 10m',
	time_zone: 'UTC',
	deliver: 'log',
	deliver_extra: {},
	skills: [],
};

/** Starts a gateway on the journal of this database. */
async function openNode({url, schema}: JournalDatabase, node: string, rest: object = {}) {
	const running = await runGateway(
		JSON.stringify({
			gateway: {endpoint: {port: 0}},
			journal: {url, schema, node, pool: 2, lease: 3},
			...rest,
		}),
		temporaryDirectory(),
	);
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
		const {id} = await beginning.client.call('cron.create', job, {signal});
		expect(await beginning.client.call('cron.run', {reference: id}, {signal})).toMatchObject({outcome: 'fired'});
		await expect.poll(() => model.asked().length, {timeout: 10_000}).toBe(1);
		const both = () => Promise.all([beginning.shown(), taking.shown()]);
		const running = ['running', 'running', 'running', 'running'];
		await expect.poll(both, {timeout: 10_000}).toEqual([running, running]);
		answer.resolve('Done.');
		const ended = ['scheduled', 'finished', 'scheduled', 'finished'];
		await expect.poll(both, {timeout: 10_000}).toEqual([ended, ended]);
	});
});
