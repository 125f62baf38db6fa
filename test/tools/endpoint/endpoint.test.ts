import {describe, expect, test, vi} from 'vitest';
import {type CallContent, type Connection} from '../../../source/mcp/connection.ts';
import {done} from '../call-fixture.ts';
import {definition, offerOf} from '../server-offers.ts';
import {openEndpoint, reading, ways, writing} from './endpoint-fixture.ts';

type Respond = Connection['request'];

/** A server whose calls last until they are cancelled. */
function patient() {
	const told = {cancelled: 0, asked: 0};
	const respond = (_: unknown, {signal}: {readonly signal: AbortSignal}) =>
		new Promise<CallContent>((_resolve, reject) => {
			told.asked++;
			signal.addEventListener('abort', () => {
				told.cancelled++;
				reject(signal.reason);
			});
		});
	return {told, respond};
}

describe.each(ways)('$way', ({connect}) => {
	test('lists every tool under its registered name', async () => {
		const endpoint = await openEndpoint();
		const client = await connect(endpoint);
		const {tools} = await client.listTools();
		expect(tools.map(({name}) => name)).toEqual(endpoint.catalogue.list().map(({name}) => name));
	});

	test('a call reaches the server with its arguments', async () => {
		const endpoint = await openEndpoint();
		const client = await connect(endpoint);
		const result = await client.callTool(reading);
		expect(result.content).toEqual(done.content);
		expect(endpoint.requests).toMatchObject([{tool: 'read', arguments: {path: 'notes.txt'}}]);
	});

	test('a call that needs an approval waits under the name of the client', async () => {
		const endpoint = await openEndpoint();
		const client = await connect(endpoint);
		const result = client.callTool(writing);
		const card = await vi.waitFor(() => endpoint.approvals.pending()[0] ?? expect.fail('nothing is pending'));
		expect(card.origin).toEqual({
			kind: 'endpoint',
			client: expect.stringMatching(/^(first|second)-sdk/),
			name: 'default',
		});
		await endpoint.answer({kind: 'approve', scope: 'once'});
		expect((await result).isError).not.toBe(true);
	});

	test('a denied call is an error as data', async () => {
		const endpoint = await openEndpoint();
		const client = await connect(endpoint);
		const result = client.callTool(writing);
		await vi.waitFor(() => expect(endpoint.approvals.pending()).toHaveLength(1));
		await endpoint.answer({kind: 'deny', message: 'not today'});
		expect(await result).toMatchObject({
			isError: true,
			content: [{type: 'text', text: expect.stringContaining('"code":"denied"')}],
		});
		expect(endpoint.requests).toEqual([]);
	});

	test('an unknown tool is an error of the protocol', async () => {
		const client = await connect(await openEndpoint());
		await expect(client.callTool({name: 'mcp__files__nothing', arguments: {}})).rejects.toMatchObject({code: -32_602});
	});

	test('a cancelled call is cancelled at its server', async () => {
		const {told, respond} = patient();
		const client = await connect(await openEndpoint({respond}));
		const controller = new AbortController();
		const result = client.callTool(reading, {signal: controller.signal});
		const refused = expect(result).rejects.toThrow();
		await vi.waitFor(() => expect(told.asked).toBe(1));
		controller.abort();
		await refused;
		await vi.waitFor(() => expect(told.cancelled).toBe(1));
	});

	test('a client that goes away takes its approval with it', async () => {
		const endpoint = await openEndpoint();
		const client = await connect(endpoint);
		const result = client.callTool(writing).catch(() => undefined);
		await vi.waitFor(() => expect(endpoint.approvals.pending()).toHaveLength(1));
		await client.close();
		await result;
		await vi.waitFor(() => expect(endpoint.ofType('approval.settled')).toMatchObject([{outcome: 'cancelled'}]));
	});

	test('progress of the server arrives, as far as it goes forward', async () => {
		const respond: Respond = async (_, options) => {
			[0, 50, 50, 100].forEach(progress => options.onProgress?.({progress, total: 100, message: 'on its way'}));
			return done;
		};
		const client = await connect(await openEndpoint({respond}));
		const told: unknown[] = [];
		await client.callTool(reading, {onprogress: ({progress}) => void told.push(progress)});
		expect(told).toEqual([0, 50, 100]);
	});

	test('pictures and structured content arrive as the server sent them', async () => {
		const answer: CallContent = {
			content: [
				{type: 'text', text: '{"count":1}'},
				{type: 'image', data: 'aGVsbG8=', mimeType: 'image/png'},
			],
			structuredContent: {count: 1},
			isError: false,
		};
		const client = await connect(await openEndpoint({respond: async () => answer}));
		const result = await client.callTool(reading);
		expect(result).toMatchObject({content: answer.content, structuredContent: {count: 1}});
	});

	test('a changed list causes a notice, and the new tool is in it', async () => {
		const endpoint = await openEndpoint();
		const changed = vi.fn();
		const client = await connect(endpoint, changed);
		await client.listTools();
		// Once the client listens; until then it has no way to hear of it.
		let round = 0;
		const grow = () => {
			round++;
			endpoint.catalogue.register(endpoint.config, {...offerOf('write'), tools: [definition(`fresh_${round}`)]});
		};
		await vi.waitFor(
			() => {
				grow();
				expect(changed).toHaveBeenCalled();
			},
			{timeout: 5000, interval: 150},
		);
		expect((await client.listTools()).tools.map(({name}) => name)).toEqual([`mcp__files__fresh_${round}`]);
	});
});
