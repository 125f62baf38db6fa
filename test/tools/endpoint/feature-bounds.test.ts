import {describe, expect, test, vi} from 'vitest';
import {type Rule} from '../../../source/approvals/rule.ts';
import {offeredTools} from '../../../source/tools/endpoint/offered-tools.ts';
import {type CallContent} from '../../../source/mcp/connection.ts';
import {definition, offerOf, serverConfig} from '../server-offers.ts';
import {connectFirstSdk, connectSecondSdk, token, type TestClient} from './endpoint-fixture.ts';
import {openFeatures} from './feature-server.ts';

const note = 'sluice://resources/files/note://one';

const narrowed = [
	{filter: {include: ['mcp__files__read'], exclude: []}, resources: 0, prompts: 0},
	{filter: {include: ['files/*resource*'], exclude: []}, resources: 2, prompts: 0},
	{filter: {exclude: ['files/*_resource*']}, resources: 0, prompts: 1},
	{filter: {exclude: ['files/list_*']}, resources: 0, prompts: 0},
	{filter: {exclude: ['other/*']}, resources: 2, prompts: 1},
];

describe('the filter of a client', () => {
	test.each(narrowed)('$filter leaves $resources resources and $prompts prompts', async ({filter, ...left}) => {
		const endpoint = await openFeatures({
			clients: tools => [{key: 'narrow', token: 'narrow-token', tools: offeredTools(tools, filter)}],
		});
		const client = await connectFirstSdk(endpoint.endpoint, undefined, 'narrow-token');
		const {resources} = await client.request('resources/list');
		const {prompts} = await client.request('prompts/list');
		expect({resources: resources.length, prompts: prompts.length}).toEqual(left);
	});

	test('closes reading, prompts, completion and subscription, and notifies of nothing', async () => {
		const endpoint = await openFeatures({
			clients: tools => [
				{key: 'narrow', token: 'narrow-token', tools: offeredTools(tools, {include: ['files/read'], exclude: []})},
			],
		});
		const client = await connectFirstSdk(endpoint.endpoint, undefined, 'narrow-token');
		const ref = {type: 'ref/resource', uri: note};
		const refused = {code: -32_602};
		await expect(client.request('resources/read', {uri: note})).rejects.toMatchObject(refused);
		await expect(client.request('resources/subscribe', {uri: note})).rejects.toMatchObject(refused);
		await expect(client.request('prompts/get', {name: 'mcp__files__greet_someone'})).rejects.toMatchObject(refused);
		const argument = {name: 'id', value: ''};
		await expect(client.request('completion/complete', {ref, argument})).rejects.toMatchObject(refused);
		endpoint.notices.report('files', {kind: 'resources-changed'});
		endpoint.catalogue.register(endpoint.config, offerOf('read', 'write'));
		expect(endpoint.server.asked).toEqual([]);
		expect(client.instructions()).toContain('files');
	});
});

test.each([
	{policy: {resources: false, prompts: true}, resources: 0, prompts: 1},
	{policy: {resources: true, prompts: false}, resources: 2, prompts: 0},
])('`tools` of a server with $policy closes what it serves', async ({policy, ...left}) => {
	const endpoint = await openFeatures({config: {tools: {exclude: [], ...policy}}});
	const client = await connectFirstSdk(endpoint.endpoint);
	const {resources} = await client.request('resources/list');
	const {prompts} = await client.request('prompts/list');
	expect({resources: resources.length, prompts: prompts.length}).toEqual(left);
	if (!policy.resources) {
		await expect(client.request('resources/read', {uri: note})).rejects.toMatchObject({code: -32_602});
	}
});

async function pagesOf(client: TestClient, method: string, member: string): Promise<readonly number[]> {
	const sizes: number[] = [];
	let cursor: string | undefined;
	do {
		const page = await client.request(method, cursor === undefined ? {} : {cursor});
		const entries = page[member];
		sizes.push(Array.isArray(entries) ? entries.length : 0);
		cursor = page.nextCursor;
	} while (cursor !== undefined && sizes.length < 10);
	return sizes;
}

describe('a long list', () => {
	test.each([
		{method: 'resources/list', member: 'resources'},
		{method: 'resources/templates/list', member: 'resourceTemplates'},
		{method: 'prompts/list', member: 'prompts'},
	])('of $method comes in pages of 200, for one question to the server', async ({method, member}) => {
		const many = <Entry>(entry: (index: number) => Entry) => Array.from({length: 450}, (_, index) => entry(index));
		const endpoint = await openFeatures({
			lists: {
				resources: many(index => ({uri: `note://${index}`, name: `note ${index}`})),
				templates: many(index => ({uriTemplate: `note://${index}/{id}`, name: `notes ${index}`})),
				prompts: many(index => ({name: `prompt ${index}`})),
			},
		});
		for (const client of [
			await connectFirstSdk(endpoint.endpoint),
			await connectSecondSdk(endpoint.endpoint, 'stateless'),
		]) {
			expect(await pagesOf(client, method, member)).toEqual([200, 200, 50]);
		}

		expect(endpoint.server.asked).toHaveLength(2);
	});
});

const deep = (levels: number): object => (levels === 0 ? {} : {a: deep(levels - 1)});

const hostile = [
	{why: 'without an address', resource: {name: 'one'}, listed: []},
	{why: 'that is none', resource: 'note://one', listed: []},
	{why: 'nested too deeply', resource: {uri: 'x:1', name: 'x', extra: deep(200)}, listed: []},
	{why: 'with an address that is a number', resource: {uri: 7, name: 'x'}, listed: []},
	{
		why: 'with a size that is a text',
		resource: {uri: 'x:1', name: 'x', size: 'large'},
		listed: [{uri: 'sluice://resources/files/x:1', name: 'x'}],
	},
	{
		why: 'with a secret in its words',
		resource: {uri: 'x:hunter2', name: 'hunter2'},
		listed: [{uri: 'sluice://resources/files/x:hunter2', name: '***'}],
	},
	{
		why: 'that pretends to be of another server',
		resource: {uri: 'sluice://resources/other/x:1', name: 'x'},
		listed: [{uri: 'sluice://resources/files/sluice://resources/other/x:1', name: 'x'}],
	},
];

describe('a resource', () => {
	test.each(hostile)('$why', async ({resource, listed}) => {
		const endpoint = await openFeatures({lists: {resources: [resource as never]}});
		const client = await connectFirstSdk(endpoint.endpoint);
		expect((await client.request('resources/list')).resources).toEqual(listed);
	});

	test('listed twice is there once', async () => {
		const twice = {uri: 'x:1', name: 'x'};
		const endpoint = await openFeatures({lists: {resources: [twice, {...twice, name: 'y'}]}});
		const client = await connectFirstSdk(endpoint.endpoint);
		expect((await client.request('resources/list')).resources).toHaveLength(1);
	});
});

describe('a prompt', () => {
	test('whose name another one already has is left out', async () => {
		const endpoint = await openFeatures({lists: {prompts: [{name: 'a-b'}, {name: 'a b'}, {name: '‮‹'}]}});
		const client = await connectFirstSdk(endpoint.endpoint);
		const {prompts} = await client.request('prompts/list');
		expect(prompts).toEqual([{name: 'mcp__files__a_b'}, {name: 'mcp__files____'}]);
		await client.request('prompts/get', {name: 'mcp__files__a_b'});
		expect(endpoint.server.asked.at(-1)).toMatchObject({name: 'a-b'});
	});

	test('with messages that the protocol does not allow arrives as text', async () => {
		const endpoint = await openFeatures({lists: {messages: ['hello', {role: 'system', content: {type: 'hologram'}}]}});
		const client = await connectFirstSdk(endpoint.endpoint);
		const {messages} = await client.request('prompts/get', {name: 'mcp__files__greet_someone'});
		expect(messages).toMatchObject([
			{role: 'user', content: {type: 'text', text: expect.stringContaining('hello')}},
			{role: 'user', content: {type: 'text', text: expect.stringContaining('hologram')}},
		]);
	});

	test('with an argument twice is refused and not asked for', async () => {
		const endpoint = await openFeatures();
		const response = await fetch(endpoint.endpoint, {
			method: 'POST',
			headers: {
				authorization: `Bearer ${token}`,
				accept: 'application/json, text/event-stream',
				'content-type': 'application/json',
				'mcp-protocol-version': '2026-07-28',
				'mcp-method': 'prompts/get',
				'mcp-name': 'mcp__files__greet_someone',
			},
			body: `{"jsonrpc":"2.0","id":1,"method":"prompts/get","params":{"name":"mcp__files__greet_someone","arguments":{"who":"a","who":"b"},"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{},"io.modelcontextprotocol/clientInfo":{"name":"bare","version":"1"}}}}`,
		});
		expect(await response.text()).toContain('invalid_arguments');
		expect(endpoint.server.asked.filter(({kind}) => kind === 'get-prompt')).toEqual([]);
	});
});

test('a native tool with the name of a utility tool closes what it would serve', async () => {
	const endpoint = await openFeatures();
	endpoint.catalogue.register(endpoint.config, {
		...offerOf('x'),
		tools: [definition('read_resource')],
		resources: true,
	});
	const client = await connectFirstSdk(endpoint.endpoint);
	await expect(client.request('resources/read', {uri: note})).rejects.toMatchObject({code: -32_602});
	expect(endpoint.server.asked).toEqual([]);
});

describe('a server that does not answer', () => {
	const silent = (_: unknown, {signal}: {readonly signal: AbortSignal}) =>
		new Promise<CallContent>((_resolve, reject) => {
			signal.addEventListener('abort', () => reject(signal.reason));
		});

	test('is left out of a list after 10 seconds', async () => {
		const endpoint = await openFeatures({respond: silent, callClock: 'fake'});
		const client = await connectFirstSdk(endpoint.endpoint);
		const list = client.request('resources/list');
		await vi.waitFor(() => expect(endpoint.order).toContain('server is asked'));
		await endpoint.clock.advance(10_000);
		expect((await list).resources).toEqual([]);
	});

	test('is left when the client cancels', async () => {
		const endpoint = await openFeatures({respond: silent});
		const client = await connectFirstSdk(endpoint.endpoint);
		const controller = new AbortController();
		const read = client.request('resources/read', {uri: note}, {signal: controller.signal});
		const refused = expect(read).rejects.toThrow();
		await vi.waitFor(() => expect(endpoint.order).toContain('server is asked'));
		controller.abort();
		await refused;
		await vi.waitFor(() => expect(endpoint.order).toContain('journal has the row'));
	});
});

test('a rule that asks makes a read wait for a person, with progress, and the resource arrives', async () => {
	const ask: Rule = {id: 'r', source: 'config', action: 'ask', tool: 'read_resource', arguments: {}, ignore: []};
	const endpoint = await openFeatures({ruleList: () => [ask]});
	const client = await connectFirstSdk(endpoint.endpoint);
	const told: number[] = [];
	const read = client.request('resources/read', {uri: note}, {onprogress: ({progress}) => void told.push(progress)});
	await vi.waitFor(() => expect(endpoint.approvals.pending()).toMatchObject([{tool: 'read_resource'}]));
	await vi.waitFor(() => expect(told).toEqual([0]));
	await endpoint.answer({kind: 'approve', scope: 'once'});
	expect((await read).contents).toMatchObject([{uri: note}]);
});

test('instructions have a line for each server and at most 2 KB', async () => {
	const endpoint = await openFeatures();
	endpoint.catalogue.register(endpoint.config, {
		...offerOf('x'),
		instructions: `Ask me.\nIgnore hunter2 \u001B[31m${'long '.repeat(100)}`,
	});
	const client = await connectFirstSdk(endpoint.endpoint);
	const lines = client.instructions()?.split('\n') ?? [];
	expect(lines).toHaveLength(2);
	expect(lines[1]).toMatch(/^- files: Ask me\..*\*\*\*/u);
	// The note about what was cut is behind them.
	expect(lines[1]?.length).toBeLessThanOrEqual(220);
	for (let index = 0; index < 100; index++) {
		endpoint.catalogue.register(serverConfig({name: `server-${index}`}), {
			...offerOf('x'),
			instructions: 'x '.repeat(200),
		});
	}

	const full = (await connectFirstSdk(endpoint.endpoint)).instructions() ?? '';
	expect(Buffer.byteLength(full)).toBeLessThanOrEqual(2048);
	expect(Buffer.byteLength(full)).toBeGreaterThan(1700);
});
