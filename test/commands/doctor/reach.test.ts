import {createServer} from 'node:net';
import {describe, expect, onTestFinished, test} from 'vitest';
import {z} from 'zod';
import {modelProviders} from '../../../source/agent/models/model-providers.ts';
import {freePort} from '../../helpers/free-port.ts';
import {listen, serve} from '../../helpers/loopback.ts';
import {runSluice} from '../../helpers/run-sluice.ts';
import {healthy, healthyDirectory, withWebhook} from './set-up.ts';

const findingsSchema = z.array(
	z.object({check: z.string(), level: z.string(), message: z.string(), remedy: z.string().nullable()}),
);

/** The finding of doctor for one check. */
async function findingsOf(check: string, home: string, ...flags: readonly string[]) {
	const {stdout} = await runSluice({home}, 'doctor', '--json', ...flags);
	return findingsSchema.parse(JSON.parse(stdout)).filter(finding => finding.check === check);
}

const withModel = (model: object) => ({...healthy, model, mcp_servers: {}});

describe('a configured address of models', () => {
	test('that nothing listens at is an error', async () => {
		const base_url = `http://127.0.0.1:${await freePort()}/v1`;
		const home = healthyDirectory(withModel({provider: 'openai-compatible', name: 'one', base_url}));
		expect(await findingsOf('model', home)).toEqual([
			{
				check: 'model',
				level: 'error',
				message: '`model.base_url` does not answer: nothing is listening at that address',
				remedy: expect.stringContaining('`model.base_url` ('),
			},
		]);
		expect(await findingsOf('model', home, '--offline')).toMatchObject([{level: 'ok'}]);
	});

	test('that lists other models alone is a warning, and names them', async () => {
		const {origin} = await serve((_, response) => {
			response.end(JSON.stringify({data: [{id: 'one'}, {id: 'two:latest'}]}));
		});
		const of = (name: string) =>
			findingsOf('model', healthyDirectory(withModel({provider: 'openai-compatible', name, base_url: origin})));
		expect(await of('three')).toMatchObject([
			{
				level: 'warning',
				message: '`model.base_url` lists no model three',
				remedy: expect.stringContaining('one, two:latest'),
			},
		]);
		expect([await of('one'), await of('two')]).toMatchObject([[{level: 'ok'}], [{level: 'ok'}]]);
	});

	test('that answers without a list is fine: a server need not have one', async () => {
		const {origin} = await serve((_, response) => response.writeHead(404).end());
		const home = healthyDirectory(withModel({provider: 'openai-compatible', name: 'one', base_url: origin}));
		expect(await findingsOf('model', home)).toMatchObject([{level: 'ok'}]);
	});
});

describe('the usual address of a provider', () => {
	const {openai} = modelProviders;

	/** Doctor on a profile with a key alone, while the provider has its address on this machine. */
	async function findingsAt(
		baseUrl: string,
		{name, flags = []}: {readonly name?: string; readonly flags?: readonly string[]} = {},
	) {
		const usual = openai.baseUrl;
		Object.assign(openai, {baseUrl});
		onTestFinished(() => void Object.assign(openai, {baseUrl: usual}));
		const home = healthyDirectory(withModel({provider: 'openai', ...(name !== undefined && {name})}));
		return findingsOf('model', home, ...flags);
	}

	test('that does not answer is a warning: the machine may have no network', async () => {
		const address = `http://127.0.0.1:${await freePort()}/v1`;
		expect(await findingsAt(address)).toEqual([
			{
				check: 'model',
				level: 'warning',
				message: `${address} does not answer: nothing is listening at that address`,
				remedy: expect.stringMatching(
					/^Check the network of this machine; `sluice .*doctor --offline` skips this check$/u,
				),
			},
		]);
		expect(await findingsAt(address, {flags: ['--offline']})).toMatchObject([{level: 'ok'}]);
	});

	test('is asked for its models with the key, and a model that it does not list is a warning', async () => {
		const asked: unknown[] = [];
		const {origin} = await serve(({url, headers}, response) => {
			asked.push([url, headers.authorization]);
			response.end(JSON.stringify({data: [{id: 'gpt-5.4'}, {id: 'o9'}]}));
		});
		expect(await findingsAt(origin)).toMatchObject([{level: 'ok'}]);
		expect(asked).toEqual([
			['/models', undefined],
			['/models', 'Bearer sk-not-a-key'],
		]);
		expect(await findingsAt(origin, {name: 'o9:nitro'})).toMatchObject([{level: 'ok'}]);
		expect(await findingsAt(origin, {name: 'nope'})).toMatchObject([
			{level: 'warning', message: `${origin} lists no model nope`, remedy: expect.stringContaining('gpt-5.4, o9')},
		]);
	});

	test('that refuses to list its models is fine', async () => {
		const {origin} = await serve((_, response) => response.writeHead(401).end());
		expect(await findingsAt(origin)).toMatchObject([{level: 'ok'}]);
	});
});

describe('webhooks and the endpoint', () => {
	test.each([
		['127.0.0.1', '127.0.0.1', 'error'],
		['0.0.0.0', '127.0.0.1', 'error'],
		['localhost', '127.0.0.1', 'error'],
		['127.0.0.1', '127.0.0.2', 'ok'],
	])('on one port of %s and %s: %s', async (first, second, level) => {
		const port = await freePort();
		const secret = 'a-secret-of-the-route';
		const config = {
			...withWebhook({host: first, port, secret}),
			gateway: {endpoint: {enabled: true, host: second, port}},
		};
		const [finding] = await findingsOf('endpoint', healthyDirectory(config), '--offline');
		expect(finding?.level).toBe(level);
		expect(finding?.message.includes(`both set to port ${port}`)).toBe(level === 'error');
	});
});

describe('a remote server', () => {
	test('a port without TLS is said to have none, in words of our own', async () => {
		const server = createServer(socket => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n'));
		const {port} = new URL(await listen(server));
		const config = {...healthy, mcp_servers: {remote: {url: `https://127.0.0.1:${port}/mcp`}}};
		const findings = await findingsOf('server remote', healthyDirectory(config));
		const text = JSON.stringify(findings);
		expect(text).toContain('it speaks http, not https');
		expect(text).not.toMatch(/ssl3_get_record|routines|OSSL|wrong version/u);
	});
});
