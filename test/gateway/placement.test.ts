import {describe, expect, onTestFinished, test} from 'vitest';
import {type JournalDatabase} from '../../source/journal/postgres/connection.ts';
import {fixtureArguments} from '../helpers/fixture-program.ts';
import {newPostgresPlace} from '../helpers/journal-engines.ts';
import {administer, hasPostgres} from '../helpers/postgres-server.ts';
import {runGateway} from '../helpers/running-gateway.ts';
import {openScriptedModel} from '../simulators/scripted-model.ts';

const garden = {command: process.execPath, args: fixtureArguments('mcp-plain.ts'), trust: 'full'};

/** A gateway of a journal that several share, with one route whose runs want the tools of one server. */
function openNode(
	database: JournalDatabase,
	node: string,
	{model, servers}: {readonly model: string; readonly servers: object},
) {
	const {url, schema} = database;
	return runGateway(
		JSON.stringify({
			gateway: {endpoint: {enabled: false}},
			journal: {url, schema, node, pool: 3, lease: 3},
			model: {provider: 'openai-compatible', base_url: model, name: 'scripted'},
			mcp_servers: servers,
			platforms: {
				webhook: {
					enabled: true,
					port: 0,
					secret: 'INSECURE_NO_AUTH',
					routes: {report: {prompt: '{text}', toolsets: ['mcp-garden']}},
				},
			},
		}),
	);
}

describe.skipIf(!hasPostgres)('gateways on one journal of which one alone has a server', () => {
	test('leave the runs that name it to that one, and begin them themselves once it is gone', async () => {
		const {database} = await newPostgresPlace();
		const tools: boolean[] = [];
		const model = await openScriptedModel(async ({tools: offered}) => {
			tools.push(offered.some(name => name.startsWith('mcp__garden__')));
			return 'Done.';
		});
		onTestFinished(model.close);
		const able = await openNode(database, 'web-2', {model: model.baseUrl, servers: {garden}});
		const facts = async () =>
			JSON.stringify(await administer(database.url, `SELECT facts FROM ${database.schema}.nodes`));
		await expect.poll(facts).toContain('garden');
		const lacking = await openNode(database, 'web-1', {model: model.baseUrl, servers: {}});
		const post = async (id: string) => {
			const headers = {'x-request-id': id};
			const response = await fetch(`${lacking.gateway.webhookUrl()}/webhooks/report`, {
				method: 'POST',
				body: '{"text":"news"}',
				headers,
			});
			expect(response.status).toBe(202);
		};

		await Promise.all(Array.from({length: 12}, (_, index) => post(`first-${index}`)));
		await expect.poll(() => tools).toEqual(Array(12).fill(true));

		await able.gateway.stop('enough');
		await post('later');
		await expect.poll(() => tools).toEqual([...Array<boolean>(12).fill(true), false]);
	});
});
