import {describe, expect, test, vi} from 'vitest';
import {type Rule} from '../../../source/approvals/rule.ts';
import {offerOf, serverConfig} from '../server-offers.ts';
import {ways} from './endpoint-fixture.ts';
import {openFeatures} from './feature-server.ts';

const deny: Rule = {
	id: 'r1',
	source: 'config',
	action: 'deny',
	server: 'files',
	tool: 'read_resource',
	arguments: {},
	ignore: [],
};

const note = 'sluice://resources/files/note://one';
const odd = 'sluice://resources/files/file:///C:/a b/../ü?x=%2F#y';

describe.each(ways)('$way', ({connect}) => {
	test('lists resources under the address of their server, with what they say of themselves', async () => {
		const client = await connect(await openFeatures());
		const {resources} = await client.request('resources/list');
		expect(resources).toMatchObject([
			{uri: note, name: 'one', title: 'One', annotations: {audience: ['user'], priority: 1}, size: 3},
			{uri: odd, name: 'odd'},
		]);
	});

	test('lists templates, their braces unchanged', async () => {
		const client = await connect(await openFeatures());
		const {resourceTemplates} = await client.request('resources/templates/list');
		expect(resourceTemplates).toMatchObject([
			{
				uriTemplate: 'sluice://resources/files/note://{id}/{+path}{?q*}',
				name: 'notes',
				icons: [{src: expect.anything()}],
			},
		]);
	});

	test('reads a resource by the address of the list, and the server gets its own', async () => {
		const endpoint = await openFeatures();
		const client = await connect(endpoint);
		const {contents} = await client.request('resources/read', {uri: odd});
		const own = 'file:///C:/a b/../ü?x=%2F#y';
		expect(contents).toEqual([{uri: odd, text: `text of ${own}`, _meta: {ui: {prefersBorder: true}}}]);
		expect(endpoint.server.asked).toEqual([{kind: 'read-resource', uri: own}]);
	});

	test('lists and gets prompts under names as those of tools', async () => {
		const endpoint = await openFeatures();
		const client = await connect(endpoint);
		const {prompts} = await client.request('prompts/list');
		expect(prompts).toMatchObject([{name: 'mcp__files__greet_someone', title: 'Greet', arguments: [{name: 'who'}]}]);
		const prompt = await client.request('prompts/get', {name: 'mcp__files__greet_someone', arguments: {who: 'Ada'}});
		expect(prompt).toMatchObject({
			description: 'Greets',
			messages: [{role: 'user', content: {type: 'resource_link', uri: note}}],
		});
		expect(endpoint.server.asked.at(-1)).toEqual({
			kind: 'get-prompt',
			name: 'greet-someone',
			arguments: {who: 'Ada'},
		});
	});

	test('finds a prompt that no list named before', async () => {
		const client = await connect(await openFeatures());
		const {description} = await client.request('prompts/get', {name: 'mcp__files__greet_someone'});
		expect(description).toBe('Greets');
	});

	test.each([
		{
			of: 'a prompt',
			ref: {type: 'ref/prompt', name: 'mcp__files__greet_someone'},
			own: {type: 'ref/prompt', name: 'greet-someone'},
		},
		{
			of: 'a template',
			ref: {type: 'ref/resource', uri: 'sluice://resources/files/note://{id}'},
			own: {type: 'ref/resource', uri: 'note://{id}'},
		},
	])('completes an argument of $of', async ({ref, own}) => {
		const endpoint = await openFeatures();
		const client = await connect(endpoint);
		const params = {ref, argument: {name: 'who', value: 'A'}, context: {arguments: {tone: 'kind'}}};
		const {completion} = await client.request('completion/complete', params);
		expect(completion).toEqual({values: ['Ada', 'Alan'], total: 2, hasMore: false});
		expect(endpoint.server.asked.at(-1)).toEqual({
			kind: 'complete',
			params: {ref: own, argument: {name: 'who', value: 'A'}, context: {arguments: {tone: 'kind'}}},
		});
	});

	test('an error of the server arrives with code and data, secrets masked, the address that of the endpoint', async () => {
		const client = await connect(await openFeatures());
		const uri = 'sluice://resources/files/note://missing';
		await expect(client.request('resources/read', {uri})).rejects.toMatchObject({
			code: -32_602,
			message: expect.stringContaining('There is no ***'),
			data: {uri, hint: '***'},
		});
	});

	test.each([
		{why: 'of no server', uri: 'sluice://resources/gone/note://one'},
		{why: 'of no endpoint', uri: 'note://one'},
		{why: 'that climbs to another server', uri: 'sluice://resources/x/../files/note://one'},
	])('an address $why is not found', async ({uri}) => {
		const endpoint = await openFeatures();
		const client = await connect(endpoint);
		await expect(client.request('resources/read', {uri})).rejects.toMatchObject({code: -32_602, data: {uri}});
		expect(endpoint.server.asked).toEqual([]);
	});

	test('a rule that denies the utility tool closes what it serves', async () => {
		const endpoint = await openFeatures({ruleList: () => [deny]});
		const client = await connect(endpoint);
		await expect(client.request('resources/read', {uri: note})).rejects.toMatchObject({
			code: -32_000,
			data: {error: {code: 'denied', server: 'files'}},
		});
		expect((await client.request('resources/list')).resources).toHaveLength(2);
	});

	test('a changed resource is announced to the client that waits for it, until it no longer does', async () => {
		const endpoint = await openFeatures();
		const client = await connect(endpoint);
		await client.watch(note);
		expect(endpoint.server.asked).toEqual([{kind: 'subscribe-resource', uri: 'note://one'}]);
		endpoint.notices.report('files', {kind: 'resource-updated', uri: 'note://other'});
		endpoint.notices.report('files', {kind: 'resource-updated', uri: 'note://one'});
		await vi.waitFor(() =>
			expect(client.notified).toMatchObject([{method: 'notifications/resources/updated', params: {uri: note}}]),
		);
		await client.unwatch(note);
		await vi.waitFor(() =>
			expect(endpoint.server.asked.at(-1)).toEqual({kind: 'unsubscribe-resource', uri: 'note://one'}),
		);
	});

	test('a client that goes away no longer waits for a resource', async () => {
		const endpoint = await openFeatures();
		const client = await connect(endpoint);
		await client.watch(note);
		await client.close();
		const ended = endpoint.listener.close();
		await vi.waitFor(() =>
			expect(endpoint.server.asked.at(-1)).toEqual({kind: 'unsubscribe-resource', uri: 'note://one'}),
		);
		await ended;
	});

	test('an address of no server cannot be waited for', async () => {
		const client = await connect(await openFeatures());
		await expect(client.watch('sluice://resources/gone/note://one')).rejects.toThrow();
	});

	test('lists of resources and prompts announce their changes', async () => {
		const endpoint = await openFeatures();
		const client = await connect(endpoint);
		await client.watch(note);
		endpoint.notices.report('files', {kind: 'resources-changed'});
		endpoint.notices.report('files', {kind: 'prompts-changed'});
		await vi.waitFor(() =>
			expect(client.notified.map(({method}) => method)).toEqual([
				'notifications/resources/list_changed',
				'notifications/prompts/list_changed',
			]),
		);
		endpoint.catalogue.register(serverConfig({name: 'more'}), {...offerOf('x'), resources: true});
		await vi.waitFor(() => expect(client.notified).toHaveLength(3));
	});
});
