import {describe, expect, test, vi} from 'vitest';
import {
	CreateTaskResultV2Schema,
	GetTaskResultV2Schema,
	UpdateTaskResultV2Schema,
	CancelTaskResultV2Schema,
} from '@modelcontextprotocol/ext-tasks/core/v2';
import {type CallContent, type Connection} from '../../../source/mcp/connection.ts';
import {done} from '../call-fixture.ts';
import {handshake, post} from './endpoint-fixture.ts';
import {openTaskEndpoint, taskClient} from './tasks-fixture.ts';

const writing = 'mcp__files__write';
const reading = 'mcp__files__read';

type Endpoint = Awaited<ReturnType<typeof openTaskEndpoint>>;

const taskOf = async ({client}: Endpoint, id: string) => (await client.get(id)).result ?? {};
const statusOf = async (endpoint: Endpoint, id: string) => (await taskOf(endpoint, id))['status'];

/** A call of the fixture's client that has become a task. */
async function callAsTask(endpoint: Endpoint): Promise<string> {
	const before = endpoint.approvals.pending().length;
	const answer = endpoint.client.call(writing);
	await vi.waitFor(() => expect(endpoint.approvals.pending().length).toBeGreaterThan(before));
	await endpoint.clock.advance(20_000);
	const {result} = await answer;
	return CreateTaskResultV2Schema.parse(result).taskId;
}

/** A server whose calls last until they are cancelled, or the test lets them end. */
function patient() {
	let asked = 0;
	const gate = Promise.withResolvers<CallContent>();
	const respond: Connection['request'] = (_, {signal}) => {
		asked++;
		return new Promise((resolve, reject) => {
			gate.promise.then(resolve, reject);
			signal.addEventListener('abort', () => reject(signal.reason));
		});
	};
	return {respond, asked: () => asked, end: () => gate.resolve(done)};
}

describe('a client that declares tasks', () => {
	test('is handed a task after 20 s of waiting, not before, and gets the whole result from it', async () => {
		const content: CallContent = {
			content: [
				{type: 'text', text: 'done'},
				{type: 'image', data: 'aGk=', mimeType: 'image/png'},
			],
			structuredContent: {count: 1},
			isError: false,
		};
		const endpoint = await openTaskEndpoint({respond: async () => content});
		const answer = endpoint.client.call(writing);
		await vi.waitFor(() => expect(endpoint.approvals.pending()).toHaveLength(1));
		const settled = vi.fn();
		void answer.then(settled);
		await endpoint.clock.advance(19_999);
		expect(settled).not.toHaveBeenCalled();
		await endpoint.clock.advance(1);
		const {result} = await answer;
		const {taskId: id} = CreateTaskResultV2Schema.parse(result);
		expect(id).toMatch(/^[\da-f]{32}$/u);
		const working = GetTaskResultV2Schema.parse(await taskOf(endpoint, id));
		expect(working).toMatchObject({status: 'working', taskId: id, ttlMs: 86_400_000, pollIntervalMs: 5000});

		await endpoint.answer({kind: 'approve', scope: 'once'});
		await vi.waitFor(async () => expect(await statusOf(endpoint, id)).toBe('completed'));
		const ended = GetTaskResultV2Schema.parse(await taskOf(endpoint, id));
		expect(ended).toMatchObject({result: {content: content.content, structuredContent: {count: 1}}});
		expect(endpoint.requests).toHaveLength(1);
		expect(endpoint.calls).toMatchObject([{origin: {kind: 'endpoint', name: 'default', task: id}}]);
	});

	test('is answered as any other while nobody is asked, and when a person is quick', async () => {
		const endpoint = await openTaskEndpoint();
		expect((await endpoint.client.call(reading)).result).toMatchObject({resultType: 'complete', content: done.content});
		const answer = endpoint.client.call(writing);
		await endpoint.answer({kind: 'approve', scope: 'once'});
		expect((await answer).result).toMatchObject({resultType: 'complete', content: done.content});
		expect(endpoint.calls.map(({origin}) => origin)).not.toContainEqual(
			expect.objectContaining({task: expect.anything()}),
		);
		expect(endpoint.rows()).toBe(0);
	});

	test('gets progress until it has the task', async () => {
		const endpoint = await openTaskEndpoint();
		const params = {name: writing, arguments: {}, _meta: {progressToken: 'a'}};
		const answer = endpoint.client.request('tools/call', params);
		await vi.waitFor(() => expect(endpoint.approvals.pending()).toHaveLength(1));
		await endpoint.clock.advance(20_000);
		// At once, and after 15 s.
		expect(await answer).toMatchObject({notes: 2, result: {resultType: 'task'}});
	});

	test('has its call withdrawn when it hangs up before, and not afterwards', async () => {
		const endpoint = await openTaskEndpoint();
		const controller = new AbortController();
		const early = endpoint.client.call(writing, {path: 'early'}, controller.signal).catch(() => 'hung up');
		await vi.waitFor(() => expect(endpoint.approvals.pending()).toHaveLength(1));
		controller.abort();
		expect(await early).toBe('hung up');
		await vi.waitFor(() => expect(endpoint.approvals.pending()).toEqual([]));

		const id = await callAsTask(endpoint);
		await endpoint.closeConnections();
		expect(endpoint.approvals.pending()).toHaveLength(1);
		expect(await statusOf(endpoint, id)).toBe('working');
	});

	test('ends a task that waits: the request is withdrawn, and nothing is called', async () => {
		const endpoint = await openTaskEndpoint();
		const id = await callAsTask(endpoint);
		expect(UpdateTaskResultV2Schema.safeParse((await endpoint.client.update(id)).result).success).toBe(true);
		expect(endpoint.approvals.pending()).toHaveLength(1);
		expect(CancelTaskResultV2Schema.safeParse((await endpoint.client.cancel(id)).result).success).toBe(true);
		expect(endpoint.approvals.pending()).toEqual([]);
		expect(GetTaskResultV2Schema.parse(await taskOf(endpoint, id))).toMatchObject({status: 'cancelled'});
		expect(endpoint.requests).toEqual([]);
	});

	test('ends a task whose call is under way, and is told that it may have taken effect', async () => {
		const server = patient();
		const endpoint = await openTaskEndpoint({respond: server.respond});
		const id = await callAsTask(endpoint);
		await endpoint.answer({kind: 'approve', scope: 'once'});
		await vi.waitFor(() => expect(server.asked()).toBe(1));
		expect(await taskOf(endpoint, id)).toMatchObject({
			status: 'working',
			statusMessage: 'The call is under way',
		});
		await endpoint.client.cancel(id);
		expect(await taskOf(endpoint, id)).toMatchObject({status: 'cancelled'});
		expect(server.asked()).toBe(1);
	});

	test('gets a denial as the result of a completed task', async () => {
		const endpoint = await openTaskEndpoint();
		const id = await callAsTask(endpoint);
		await endpoint.answer({kind: 'deny', message: 'not today'});
		await vi.waitFor(async () => expect(await statusOf(endpoint, id)).toBe('completed'));
		expect((await taskOf(endpoint, id))['result']).toMatchObject({
			isError: true,
			content: [{text: expect.stringContaining('not today')}],
		});
	});

	test('waits as long as the task, in place of approvals.timeout, and not longer', async () => {
		const endpoint = await openTaskEndpoint();
		const id = await callAsTask(endpoint);
		expect(endpoint.approvals.pending()[0]?.expiresAt).toBe(1_700_000_000_000 + 86_400_000);
		await endpoint.clock.advance(86_400_000 - 30_000);
		expect(endpoint.approvals.pending()).toHaveLength(1);
		await endpoint.clock.advance(30_000);
		expect(endpoint.approvals.pending()).toEqual([]);
		expect(await endpoint.client.get(id)).toMatchObject({error: {code: -32_602}});
	});

	test('is handed a task over streams, too', async () => {
		const endpoint = await openTaskEndpoint();
		const stream = endpoint.connectStream();
		const answer = stream('tools/call', {name: writing, arguments: {path: 'a'}});
		await vi.waitFor(() => expect(endpoint.approvals.pending()).toHaveLength(1));
		await endpoint.clock.advance(20_000);
		const {taskId} = CreateTaskResultV2Schema.parse((await answer).result);
		expect((await stream('tasks/get', {taskId})).result).toMatchObject({status: 'working'});
		// A client over HTTP is another one.
		expect(await endpoint.client.get(taskId)).toMatchObject({error: {code: -32_602}});
	});
});

describe('tasks are refused', () => {
	test('to a client that does not declare them: its call waits on its connection, and their methods are refused', async () => {
		const endpoint = await openTaskEndpoint();
		const plain = taskClient(endpoint.endpoint, {takesTasks: false});
		const answer = plain.call(writing);
		await vi.waitFor(() => expect(endpoint.approvals.pending()).toHaveLength(1));
		await endpoint.clock.advance(60_000);
		await endpoint.answer({kind: 'approve', scope: 'once'});
		expect((await answer).result).toMatchObject({resultType: 'complete', content: done.content});

		const id = await callAsTask(endpoint);
		for (const method of ['tasks/get', 'tasks/update', 'tasks/cancel']) {
			expect(await plain.request(method, {taskId: id, inputResponses: {}})).toMatchObject({
				error: {code: -32_021, data: {requiredCapabilities: {extensions: {'io.modelcontextprotocol/tasks': {}}}}},
			});
		}

		const listen = {notifications: {taskIds: [id]}};
		expect(await plain.request('subscriptions/listen', listen)).toMatchObject({error: {code: -32_021}});
		expect(await statusOf(endpoint, id)).toBe('working');
	});

	test('to another client, and for ids that are none, in the same words', async () => {
		const endpoint = await openTaskEndpoint();
		const id = await callAsTask(endpoint);
		const other = taskClient(endpoint.endpoint, {token: endpoint.otherClient});
		const refusals = [
			await other.get(id),
			await other.cancel(id),
			await endpoint.client.get('f'.repeat(32)),
			await other.update(id),
		];
		expect(new Set(refusals.map(({error}) => `${error?.code} ${error?.message}`)).size).toBe(1);
		expect(refusals[0]).toMatchObject({error: {code: -32_602}});
		expect(endpoint.approvals.pending()).toHaveLength(1);
	});

	test('to clients of the handshake era, which are not offered them', async () => {
		const endpoint = await openTaskEndpoint();
		const discovered = await endpoint.client.request('server/discover', {});
		expect(discovered.result).toMatchObject({capabilities: {extensions: {'io.modelcontextprotocol/tasks': {}}}});
		const text = await (await post(endpoint.endpoint, {body: handshake})).text();
		expect(text).toContain('"capabilities"');
		expect(text).not.toContain('tasks');
	});
});

test('a task that cannot be written is not handed out: the call waits on its connection, and is handed over later', async () => {
	const endpoint = await openTaskEndpoint();
	endpoint.journal.fails = true;
	const answer = endpoint.client.call(writing);
	await vi.waitFor(() => expect(endpoint.approvals.pending()).toHaveLength(1));
	await endpoint.clock.advance(20_000);
	await vi.waitFor(() => expect(endpoint.problems).toHaveLength(1));
	expect(endpoint.rows()).toBe(0);
	endpoint.journal.fails = false;
	await endpoint.clock.advance(20_000);
	expect(CreateTaskResultV2Schema.safeParse((await answer).result).success).toBe(true);
	expect(endpoint.rows()).toBe(1);
});

test('the time of a task stands still while everything is held, and goes on with what was left', async () => {
	const endpoint = await openTaskEndpoint({ttlMilliseconds: 100_000});
	const {clock, time} = endpoint;
	const id = await callAsTask(endpoint);
	// Of its approval 20 s are left then, and of itself 40 s: it was handed over later.
	await clock.advance(60_000);
	time.suspend();
	const other = await callAsTask(endpoint);
	await clock.advance(200_000);
	const held = GetTaskResultV2Schema.parse(await taskOf(endpoint, id));
	expect(held).toMatchObject({status: 'working', ttlMs: null});
	expect(await taskOf(endpoint, other)).toMatchObject({status: 'working', ttlMs: null});
	time.resume();
	await vi.waitFor(async () => expect(await taskOf(endpoint, id)).toMatchObject({ttlMs: expect.any(Number)}));
	await clock.advance(19_000);
	expect([await statusOf(endpoint, id), await statusOf(endpoint, other)]).toEqual(['working', 'working']);
	await clock.advance(1000);
	await vi.waitFor(async () => expect(await statusOf(endpoint, id)).toBe('completed'));
	await clock.advance(19_000);
	expect(await statusOf(endpoint, id)).toBe('completed');
	await clock.advance(1000);
	await vi.waitFor(async () => expect(await statusOf(endpoint, id)).toBe(undefined));
	expect(endpoint.approvals.pending()).toHaveLength(1);
	expect(await statusOf(endpoint, other)).toBe('working');
});
