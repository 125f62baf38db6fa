import {spawn, spawnSync} from 'node:child_process';
import {randomUUID} from 'node:crypto';
import {readFileSync, writeFileSync} from 'node:fs';
import {type ClientRequest, type IncomingMessage} from 'node:http';
import {request} from 'node:https';
import {join} from 'node:path';
import {text} from 'node:stream/consumers';
import {describe, expect, onTestFinished, test} from 'vitest';
import {codeBlocks, readPages} from '../helpers/documentation.ts';
import {freePort} from '../helpers/free-port.ts';
import {type RunningGateway, runGateway} from '../helpers/running-gateway.ts';
import {temporaryDirectory} from '../helpers/temporary-directory.ts';

/** Debian has servers where the PATH of a person does not look. */
const env = {...process.env, PATH: `${process.env['PATH'] ?? ''}:/usr/sbin:/usr/local/sbin`};
const isThere = (program: string) => spawnSync(program, ['-v'], {env}).error === undefined;
const hasHaproxy = isThere('haproxy');
const hasNginx = isThere('nginx');
for (const [name, has] of [
	['haproxy', hasHaproxy],
	['nginx', hasNginx],
] as const) {
	if (!has) {
		console.warn(`${name} is not installed: its recipe in docs/deployment.md is not tried`);
	}
}

const tls = (name: string) => readFileSync(new URL(`../fixtures/tls/${name}`, import.meta.url), 'utf8');
const token = 'token-of-the-endpoint';
const config = `
platforms:
  webhook:
    enabled: true
    port: 0
    rate_limit: 1000000
    routes: {one: {secret: INSECURE_NO_AUTH, prompt: "{x}"}}
gateway:
  drain_delay: 600
  endpoint: {port: 0, token: ${token}}
`;

/** The recipe of docs/deployment.md in that language. */
function recipeIn(language: string): string {
	const page = readPages().find(({path}) => path === 'docs/deployment.md');
	const [recipe] = codeBlocks(page?.text ?? '', language);
	return recipe ?? expect.fail(`docs/deployment.md has no recipe in ${language}`);
}

/** A text with each of these parts replaced, all of which are there. */
function withParts(recipe: string, parts: ReadonlyArray<readonly [written: string, instead: string]>): string {
	return parts.reduce((sum, [written, instead]) => {
		expect(sum).toContain(written);
		return sum.replaceAll(written, instead);
	}, recipe);
}

/** Certificate and key in one file. */
function certificate(folder: string): string {
	const path = join(folder, 'sluice.pem');
	writeFileSync(path, `${tls('server.pem')}${tls('server.key')}`);
	return path;
}

async function openGateway() {
	const running = await runGateway(config);
	const listening = await running.eventWhere(event => event.type === 'endpoint.state' && event.state === 'listening');
	const endpoint = new URL('url' in listening ? (listening.url ?? '') : '');
	return {...running, webhooks: new URL(running.gateway.webhookUrl() ?? '').host, endpoint};
}

type Member = Awaited<ReturnType<typeof openGateway>>;

/** HAProxy on the recipe, with these gateways and quicker checks. It is ended with the test. */
async function openBalancer(first: Member, second: Member) {
	const folder = temporaryDirectory();
	const port = await freePort();
	const portOf = (host: string) => new URL(`http://${host}`).port;
	const text = withParts(recipeIn('haproxy'), [
		['bind :443', `bind 127.0.0.1:${port}`],
		['/etc/haproxy/sluice.pem', certificate(folder)],
		['inter 2s', 'inter 100ms'],
		['10.0.0.11:8645 port 8644', `${first.endpoint.host} port ${portOf(first.webhooks)}`],
		['10.0.0.12:8645 port 8644', `${second.endpoint.host} port ${portOf(second.webhooks)}`],
		['10.0.0.11:8644', first.webhooks],
		['10.0.0.12:8644', second.webhooks],
	]);
	const path = join(folder, 'haproxy.cfg');
	writeFileSync(path, text);
	expect(spawnSync('haproxy', ['-c', '-f', path], {env, encoding: 'utf8'})).toMatchObject({status: 0, stderr: ''});
	const balancer = spawn('haproxy', ['-db', '-f', path], {env, stdio: 'ignore'});
	onTestFinished(() => void balancer.kill('SIGKILL'));
	const ask = askAt(port);
	await untilAccepted(ask);
	return {ask, begin: beginAt(port)};
}

/** A program that was just started listens after a moment. */
async function untilAccepted(ask: ReturnType<typeof askAt>): Promise<void> {
	const post = () =>
		ask('POST', '/webhooks/one', {body: '{}'}).then(
			({status}) => status,
			() => 0,
		);
	await expect.poll(post, {timeout: 10_000}).toBe(202);
}

type Asked = {readonly headers?: Readonly<Record<string, string>>; readonly body?: string};

const optionsOf = (port: number, method: string, path: string, headers: Asked['headers']) =>
	({
		host: '127.0.0.1',
		servername: 'localhost',
		port,
		ca: tls('ca.pem'),
		method,
		path,
		headers: {host: 'sluice.example.com', ...headers},
	}) as const;

/** Sends a request over a connection of its own, and reads the answer. */
function askAt(port: number) {
	return async (method: string, path: string, {headers, body = ''}: Asked = {}) => {
		const sent = request(
			optionsOf(port, method, path, {...headers, 'content-length': String(Buffer.byteLength(body))}),
		);
		sent.end(body);
		return answered(sent);
	};
}

/** Sends a request whose body is not complete yet; the returned function completes it and reads the answer. */
function beginAt(port: number) {
	return (path: string) => {
		const sent = request(optionsOf(port, 'POST', path, {'content-length': '7', 'x-request-id': randomUUID()}));
		sent.write('{"x"');
		return () => {
			sent.end(':1}');
			return answered(sent);
		};
	};
}

async function answered(sent: ClientRequest) {
	const {promise, resolve, reject} = Promise.withResolvers<IncomingMessage>();
	sent.on('response', resolve);
	sent.on('error', reject);
	const response = await promise;
	return {status: response.statusCode, headers: response.headers, body: await text(response)};
}

const rpcHeaders = {
	authorization: `Bearer ${token}`,
	'content-type': 'application/json',
	accept: 'application/json, text/event-stream',
};
const rpc = (method: string, params: object) => JSON.stringify({jsonrpc: '2.0', id: 1, method, params});
const clientInfo = {name: 'test', version: '1'};
const initialize = rpc('initialize', {protocolVersion: '2025-06-18', capabilities: {}, clientInfo});
const inSession = (id: string) => ({headers: {...rpcHeaders, 'mcp-session-id': id}, body: rpc('tools/list', {})});

const acceptedBy = ({events}: Pick<RunningGateway, 'events'>) =>
	events.filter(event => event.type === 'webhook.settled' && event.outcome === 'accepted').length;

describe.runIf(hasHaproxy)('two gateways behind the HAProxy of docs/deployment.md', () => {
	test('every request of a session reaches the gateway that has it, and nothing else gets through', async () => {
		const [first, second] = [await openGateway(), await openGateway()];
		const {ask} = await openBalancer(first, second);
		const ids: string[] = [];
		// An odd number: taking turns would send none to its own.
		for (let count = 0; count < 5; count++) {
			const {status, headers} = await ask('POST', '/mcp', {headers: rpcHeaders, body: initialize});
			expect(status).toBe(200);
			ids.push(String(headers['mcp-session-id']));
		}

		for (const id of [...ids, ...ids, ...ids]) {
			expect(await ask('POST', '/mcp', inSession(id))).toMatchObject({status: 200});
		}

		// Each session is known to one of them, and both have some.
		const known = await Promise.all(
			ids.map(id =>
				Promise.all(
					[first, second].map(async ({endpoint}) => (await fetch(endpoint, {method: 'POST', ...inSession(id)})).status),
				),
			),
		);
		expect(new Set(known.map(String))).toEqual(new Set(['200,404', '404,200']));
		for (const path of ['/health', '/ready', '/metrics', '/p/work/x', '/webhooks']) {
			expect(await ask('GET', path)).toMatchObject({status: 404, body: expect.not.stringContaining('{')});
		}

		expect(await ask('POST', '/p/none/webhooks/one', {body: '{}'})).toMatchObject({
			status: 404,
			body: '{"error":"Unknown route: one"}',
		});
	});

	test('one that drains gets no new request, and none is lost until it is down', async () => {
		const [first, second] = [await openGateway(), await openGateway()];
		const {ask, begin} = await openBalancer(first, second);
		const statuses: Array<number | undefined> = [];
		const over = new AbortController();
		const before = acceptedBy(first) + acceptedBy(second);
		const sender = async () => {
			while (!over.signal.aborted) {
				const {status} = await ask('POST', '/webhooks/one', {headers: {'x-request-id': randomUUID()}, body: '{"x":1}'});
				statuses.push(status);
			}
		};

		onTestFinished(() => over.abort());
		const senders = [sender(), sender(), sender()];
		const takesMore = async (gateway: Member) => {
			const now = acceptedBy(gateway);
			await expect.poll(() => acceptedBy(gateway), {timeout: 10_000}).toBeGreaterThan(now + 20);
		};

		await Promise.all([takesMore(first), takesMore(second)]);
		const slow = Array.from({length: 8}, () => begin('/webhooks/one'));
		// Now each of them has reached a gateway.
		await Promise.all([takesMore(first), takesMore(second)]);
		const skip = new AbortController();
		const drained = first.gateway.drain('SIGTERM', skip.signal);
		let seen = -1;
		for (let looks = 0; seen !== acceptedBy(first); looks++) {
			expect(looks).toBeLessThan(50);
			seen = acceptedBy(first);
			await takesMore(second);
		}

		// Work that was begun before ends well, also at the first gateway.
		const ended = await Promise.all(slow.map(end => end()));
		expect(new Set(ended.map(({status}) => status))).toEqual(new Set([202]));
		const takenInAll = acceptedBy(first);
		expect(takenInAll).toBeGreaterThan(seen);
		skip.abort();
		await drained;
		await first.gateway.stop('SIGTERM');
		await takesMore(second);
		over.abort();
		await Promise.all(senders);
		expect(new Set(statuses)).toEqual(new Set([202]));
		expect(acceptedBy(first)).toBe(takenInAll);
		expect(acceptedBy(first) + acceptedBy(second) - before).toBe(statuses.length + slow.length);
	});
});

test.runIf(hasNginx)(
	'a gateway behind the nginx of docs/deployment.md gets webhooks and calls, and nothing else',
	async () => {
		const gateway = await openGateway();
		const folder = temporaryDirectory();
		const port = await freePort();
		const own = withParts(recipeIn('nginx'), [
			['listen 443 ssl', `listen 127.0.0.1:${port} ssl`],
			['/etc/nginx/sluice.pem', certificate(folder)],
			['/etc/nginx/sluice.key', certificate(folder)],
			['http://127.0.0.1:8644', `http://${gateway.webhooks}`],
			['http://127.0.0.1:8645', `http://${gateway.endpoint.host}`],
		]);
		const path = join(folder, 'nginx.conf');
		const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(name => `${name}_temp_path ${folder};`);
		writeFileSync(
			path,
			`pid ${folder}/nginx.pid;\nerror_log stderr;\nmaster_process off;\nevents {}\nhttp {\naccess_log off;\n${temporary.join('\n')}\n${own}}\n`,
		);
		const words = ['-p', folder, '-c', path];
		const checked = spawnSync('nginx', ['-t', ...words], {env, encoding: 'utf8'});
		expect(checked).toMatchObject({status: 0, stderr: expect.not.stringMatching(/warn|emerg/u)});
		const nginx = spawn('nginx', ['-g', 'daemon off;', ...words], {env, stdio: 'ignore'});
		onTestFinished(() => void nginx.kill('SIGKILL'));
		const ask = askAt(port);
		await untilAccepted(ask);
		expect(await ask('POST', '/mcp', {headers: rpcHeaders, body: initialize})).toMatchObject({
			status: 200,
			headers: {'mcp-session-id': expect.any(String)},
		});
		expect((await ask('POST', '/webhooks/one', {body: 'x'.repeat(1_200_000)})).status).toBe(413);
		for (const other of ['/health', '/ready', '/metrics']) {
			expect(await ask('GET', other)).toMatchObject({status: 404, body: expect.not.stringContaining('{')});
		}
	},
);
