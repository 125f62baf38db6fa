import {request} from 'node:http';
import {Client, StreamableHTTPClientTransport} from '@modelcontextprotocol/client';
import {describe, expect, onTestFinished, test} from 'vitest';
import {startDemoHttpServer} from '../../source/demo/demo-http-server.ts';
import {createFakeClock} from '../helpers/fake-clock.ts';

async function start(): Promise<{url: string; close: () => Promise<void>}> {
	const server = await startDemoHttpServer(createFakeClock());
	onTestFinished(() => void server.close().catch(() => undefined));
	return server;
}

async function connect(url: string): Promise<Client> {
	const client = new Client({name: 'test', version: '1.0.0'});
	await client.connect(new StreamableHTTPClientTransport(new URL(url)));
	onTestFinished(() => client.close());
	return client;
}

describe('the demo tool server over HTTP', () => {
	test('listens on the loopback interface only', async () => {
		expect(new URL((await start()).url).hostname).toBe('127.0.0.1');
	});

	test('has tools that only read', async () => {
		const {tools} = await (await connect((await start()).url)).listTools();
		expect(tools.map(tool => [tool.name, tool.annotations?.readOnlyHint])).toEqual([
			['forecast', true],
			['frost_warning', true],
		]);
	});

	test('gives the same forecast for the same place and hour', async () => {
		const client = await connect((await start()).url);
		const ask = () => client.callTool({name: 'forecast', arguments: {place: 'Allotment', hours: 2}});
		expect([(await ask()).content, await ask()]).toEqual([
			[{type: 'text', text: expect.stringMatching(/^\+0 h: .* °C\n\+1 h: .* °C$/)}],
			expect.objectContaining({content: (await ask()).content}),
		]);
	});

	test('refuses a page that a foreign name led here', async () => {
		const {url} = await start();
		const status = await new Promise(resolve => {
			request(url, {method: 'POST', headers: {host: 'evil.example'}}, response => resolve(response.statusCode)).end();
		});
		expect(status).toBe(403);
	});

	test('closes although a client is connected', async () => {
		const server = await start();
		await connect(server.url);
		await server.close();
		await expect(fetch(server.url)).rejects.toThrow();
	});
});
