import {describe, expect, onTestFinished, test} from 'vitest';
import {newPostgresPlace} from '../helpers/journal-engines.ts';
import {administer, hasPostgres} from '../helpers/postgres-server.ts';
import {runGateway} from '../helpers/running-gateway.ts';
import {openScriptedModel} from '../simulators/scripted-model.ts';

/** The configuration of a gateway on a journal of its own in PostgreSQL, and what the journal says of its start. */
async function newJournal(model: object) {
	const {database} = await newPostgresPlace();
	const config = JSON.stringify({
		gateway: {endpoint: {port: 0}},
		journal: {url: database.url, schema: database.schema, node: 'web-1', pool: 2, lease: 3},
		model,
		platforms: {
			webhook: {enabled: true, port: 0, routes: {r: {secret: 'INSECURE_NO_AUTH', prompt: '{text}'}}},
		},
	});
	const read = async () => {
		const [row] = await administer(
			database.url,
			`SELECT seen_at - started_at AS age, state, facts FROM ${database.schema}.nodes WHERE name = 'web-1'`,
		);
		return row;
	};

	return {config, read, age: async () => Number((await read())?.['age'])};
}

describe.skipIf(!hasPostgres)('a gateway on a journal that others may share', () => {
	test('gives signs while it stops and its runs end', async () => {
		const answer = Promise.withResolvers<string>();
		const model = await openScriptedModel(() => answer.promise);
		onTestFinished(model.close);
		const {config, age, read} = await newJournal({
			provider: 'openai-compatible',
			base_url: model.baseUrl,
			name: 'scripted',
		});
		const {gateway} = await runGateway(config);
		const sent = await fetch(`${gateway.webhookUrl()}/webhooks/r`, {method: 'POST', body: '{"text":"think"}'});
		expect(sent.status).toBe(202);
		await expect.poll(() => model.asked().length, {timeout: 10_000}).toBe(1);
		const stopped = gateway.stop('enough');
		const before = await age();
		// Two signs more: one may have been under way when the stop began.
		await expect.poll(age, {timeout: 5000}).toBeGreaterThan(before + 1500);
		answer.resolve('Done.');
		await stopped;
		expect(await read()).toMatchObject({state: 'left'});
	});
});
