import {mkdtempSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {afterAll, beforeAll, describe, expect, test, vi} from 'vitest';
import {endpointTools} from '../../../source/gateway/services/endpoint-clients.ts';
import {openEndpointListener} from '../../../source/tools/endpoint/endpoint-listener.ts';
import {type EndpointTools} from '../../../source/tools/endpoint/endpoint-tools.ts';
import {systemClock} from '../../../source/util/clock.ts';
import {createTestRuntime, openTools} from '../../helpers/gateway-parts.ts';
import {token, ways} from './endpoint-fixture.ts';

const peer = join(import.meta.dirname, '../../conformance/server-peer.ts');
const prefix = 'sluice://resources/';

/** Real servers of both eras behind one endpoint, over both ways. */
async function openReal() {
	const home = mkdtempSync(join(tmpdir(), 'sluice-features-'));
	const entry = {command: process.execPath, args: [peer], trust: 'full'};
	const servers = {older: {...entry, protocol: 'legacy'}, 'new er': {...entry, protocol: 'stateless'}};
	writeFileSync(join(home, 'config.yaml'), JSON.stringify({mcp_servers: servers}));
	const {context, service, close} = await openTools(createTestRuntime(home));
	service.apply();
	await service.firstSettled();
	const tools: EndpointTools = endpointTools({context, tools: service}, {name: 'default'});
	const listener = await openEndpointListener(
		{
			rules: () => ({
				host: '127.0.0.1',
				clientsOf: () => [{key: 'default', token, tools}],
				metrics: {kind: 'off'},
			}),
			metrics: async () => '',
			report: () => undefined,
			clock: systemClock,
		},
		{host: '127.0.0.1', port: 0},
	);
	return {
		tools,
		endpoint: new URL('/mcp', listener.url),
		async close() {
			await listener.close();
			await close();
			rmSync(home, {recursive: true, force: true});
		},
	};
}

let real: Awaited<ReturnType<typeof openReal>>;
beforeAll(async () => void (real = await openReal()));
afterAll(() => real.close());

const servers = [
	{server: 'older', address: `${prefix}older/`, apps: 'ui://older/', tool: 'mcp__older__'},
	{server: 'new er', address: `${prefix}new%20er/`, apps: 'ui://new%20er/', tool: 'mcp__new_er__'},
];

describe.each(ways)('$way', ({connect}) => {
	const open = () => connect(real as never);

	test('resources, templates and prompts of all servers are in the lists', async () => {
		const client = await open();
		const {resources} = await client.request('resources/list');
		const {resourceTemplates} = await client.request('resources/templates/list');
		const {prompts} = await client.request('prompts/list');
		for (const {address, apps, tool} of servers) {
			expect(resources.map(({uri}) => uri)).toEqual(
				expect.arrayContaining([`${address}test://static-text`, `${apps}clock/face.html`]),
			);
			expect(resourceTemplates).toContainEqual(
				expect.objectContaining({uriTemplate: `${address}test://template/{id}/data`}),
			);
			expect(prompts).toContainEqual(expect.objectContaining({name: `${tool}test_simple_prompt`}));
		}
	});

	test.each(servers)('$server: reads, prompts, completes, and passes errors on', async ({address, apps, tool}) => {
		const client = await open();
		const {contents} = await client.request('resources/read', {uri: `${address}test://template/123/data`});
		expect(contents).toMatchObject([{uri: `${address}test://template/123/data`, mimeType: 'application/json'}]);
		const app = await client.request('resources/read', {uri: `${apps}clock/face.html`});
		expect(app.contents).toMatchObject([{uri: `${apps}clock/face.html`, text: '<p>12:00</p>'}]);
		const arguments_ = {arg1: 'paris', arg2: 'x'};
		const prompt = await client.request('prompts/get', {
			name: `${tool}test_prompt_with_arguments`,
			arguments: arguments_,
		});
		expect(prompt.messages[0]?.content.text).toContain("arg1='paris'");
		const {completion} = await client.request('completion/complete', {
			ref: {type: 'ref/resource', uri: `${address}test://template/{id}/data`},
			argument: {name: 'id', value: '12'},
		});
		expect(completion.values).toEqual(['123', '124']);
		const missing = `${address}test://missing`;
		await expect(client.request('resources/read', {uri: missing})).rejects.toMatchObject({
			code: -32_602,
			data: {uri: missing},
		});
		await expect(client.request('prompts/get', {name: `${tool}test_prompt_with_arguments`})).rejects.toMatchObject({
			code: -32_602,
		});
	});

	test.each(servers)(
		'$server: tools have their icons and the address of their user interface',
		async ({apps, tool}) => {
			const client = await open();
			const {tools} = await client.request('tools/list');
			expect(tools).toContainEqual(
				expect.objectContaining({
					name: `${tool}clock`,
					icons: [{src: 'https://example.test/clock.png'}],
					_meta: {ui: {resourceUri: `${apps}clock/face.html`}},
				}),
			);
		},
	);

	test.each(servers)('$server: a changed resource is announced, and a link to it is a link', async server => {
		const client = await open();
		const uri = `${server.address}test://watched-resource`;
		await client.watch(uri);
		const {content} = await client.callTool({name: `${server.tool}touch`, arguments: {}});
		expect(content).toMatchObject([{type: 'resource_link', uri, name: 'watched'}]);
		await vi.waitFor(() =>
			expect(client.notified).toContainEqual(
				expect.objectContaining({
					method: 'notifications/resources/updated',
					params: expect.objectContaining({uri}),
				}),
			),
		);
		await client.unwatch(uri);
	});

	test('instructions name the servers with their own words', async () => {
		const client = await open();
		const said = client.instructions() ?? '';
		expect(said).toContain('- older: Answers the scenarios of the suite.');
		expect(said).toContain('- new er: Answers the scenarios of the suite.');
	});
});

test.each(servers)('$server: a new resource and a new prompt are announced', async ({tool, address}) => {
	const clients = await Promise.all(
		ways.filter(({way}) => !way.startsWith('the first')).map(({connect}) => connect(real as never)),
	);
	await Promise.all(clients.map(client => client.watch(`${address}test://watched-resource`)));
	await clients[0]?.callTool({name: `${tool}grow`, arguments: {}});
	for (const client of clients) {
		await vi.waitFor(() =>
			expect(client.notified.map(({method}) => method)).toEqual(
				expect.arrayContaining(['notifications/resources/list_changed', 'notifications/prompts/list_changed']),
			),
		);
	}
});
