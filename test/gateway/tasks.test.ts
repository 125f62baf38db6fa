import {expect, test} from 'vitest';
import {clients, configOf, echo, leftBy, openGarden, openTaskGateway, type TaskGateway} from './task-gateways.ts';

const statusOf = async (gateway: TaskGateway, id: string) => (await gateway.laptop.get(id)).result ?? {};
const settled = (gateway: TaskGateway, id: string, status: string) =>
	expect.poll(async () => (await statusOf(gateway, id))['status'], {timeout: 5000}).toBe(status);

test('a call becomes a task, the gateway is killed and started, and it is made once, after a person has allowed it', async () => {
	const garden = await openGarden();
	const first = await openTaskGateway(configOf(garden));
	const id = await first.callAsTask();
	const [before] = await first.waiting();
	expect(before?.origin).toMatchObject({kind: 'endpoint', name: 'laptop', task: id});

	const second = await openTaskGateway(configOf(garden), leftBy(first));
	await expect.poll(second.waiting).toMatchObject([{id: before?.id, tool: 'echo', arguments: {text: 'hello'}}]);
	expect(await statusOf(second, id)).toMatchObject({status: 'working', taskId: id});
	expect(await second.other.get(id)).toMatchObject({error: {code: -32_602}});
	expect(await second.allow()).toMatchObject({answer: 'resolved'});
	await settled(second, id, 'completed');
	expect((await statusOf(second, id))['result']).toMatchObject({content: [{type: 'text', text: 'done'}]});
	expect(garden.calls).toBe(1);
	await expect
		.poll(() => second.command('calls.list', {limit: 1}))
		.toMatchObject([{outcome: 'ok', origin: {name: 'laptop', task: id}}]);

	// The result is there after another start, and the call is not made again.
	await second.gateway.stop('test');
	const third = await openTaskGateway(configOf(garden), second.root);
	expect(await statusOf(third, id)).toMatchObject({status: 'completed', result: {content: [{text: 'done'}]}});
	expect(garden.calls).toBe(1);
});

test.each([
	{
		what: 'definition',
		change: (garden: Awaited<ReturnType<typeof openGarden>>) => {
			garden.definition = {...garden.definition, description: 'Deletes everything'};
			return configOf(garden);
		},
	},
	{what: 'trust', change: (garden: Awaited<ReturnType<typeof openGarden>>) => configOf(garden, {trust: 'full'})},
	{
		what: 'token',
		change: (garden: Awaited<ReturnType<typeof openGarden>>) =>
			configOf(garden, {clients: {...clients, laptop: {token: 'token-of-the-laptop', tools: {include: ['garden/*']}}}}),
	},
])('an approval given before a kill counts after it only if the $what is the same', async ({change}) => {
	const garden = await openGarden();
	const first = await openTaskGateway(configOf(garden));
	const id = await first.callAsTask();
	// Allowed, but held back.
	await first.command('hold', {});
	const [before] = await first.waiting();
	const allowed = first.allow();
	await first.eventWhere(event => event.type === 'approval.settled' && event.outcome === 'approved');
	// A command follows what it allowed for so long.
	first.leap(30_000);
	expect(await allowed).toMatchObject({answer: 'resolved', call: 'waiting'});
	await expect.poll(() => statusOf(first, id)).toMatchObject({status: 'working'});

	const same = await openTaskGateway(configOf(garden), leftBy(first));
	await settled(same, id, 'completed');
	expect([same.asked(), garden.calls]).toEqual([[], 1]);

	const changed = await openTaskGateway(change(garden), leftBy(first));
	await expect.poll(changed.waiting).toHaveLength(1);
	expect((await changed.waiting())[0]?.id).not.toBe(before?.id);
	expect(garden.calls).toBe(1);
	await changed.allow();
	await settled(changed, id, 'completed');
	expect(garden.calls).toBe(2);
});

test('a call that was under way at a kill is not repeated: nobody knows its outcome, and the task says so', async () => {
	const garden = await openGarden();
	garden.answers = false;
	const first = await openTaskGateway(configOf(garden));
	const id = await first.callAsTask();
	await first.allow();
	await expect.poll(() => garden.calls).toBe(1);
	garden.answers = true;
	const second = await openTaskGateway(configOf(garden), leftBy(first));
	await settled(second, id, 'completed');
	expect((await statusOf(second, id))['result']).toMatchObject({
		isError: true,
		content: [{text: expect.stringContaining('"outcome_uncertain":true')}],
	});
	expect(await second.command('uncertain.list', {})).toMatchObject([{tool: 'echo'}]);
	expect([second.asked(), garden.calls]).toEqual([[], 1]);
	// Its stop would wait for the call.
	await first.laptop.cancel(id);
});

test('a deny rule that is there at the next start denies the call of a task, and an orderly stop ends none', async () => {
	const garden = await openGarden();
	const first = await openTaskGateway(configOf(garden));
	const id = await first.callAsTask();
	await first.gateway.stop('test');
	expect(first.events.filter(({type}) => type === 'tool.finished')).toEqual([]);
	const rules = [{action: 'deny', server: 'garden', reason: 'closed'}];
	const second = await openTaskGateway(
		configOf(garden, {config: {approvals: {unattended: 'hold', rules}}}),
		first.root,
	);
	await settled(second, id, 'completed');
	expect((await statusOf(second, id))['result']).toMatchObject({
		isError: true,
		content: [{text: expect.stringContaining('closed')}],
	});
	expect([second.asked(), garden.calls]).toEqual([[], 0]);
});

test('a task ends with the removal of its client, and is asked about again when its token was changed', async () => {
	const garden = await openGarden();
	const gateway = await openTaskGateway(configOf(garden));
	const id = await gateway.callAsTask();
	const rotated = {...clients, laptop: {token: 'token-of-the-laptop', tools: {exclude: ['nothing/*']}}};
	const [before] = await gateway.waiting();
	await gateway.change(configOf(garden, {clients: rotated}));
	await expect
		.poll(async () => (await gateway.waiting()).map(one => one.id))
		.toEqual([expect.not.stringMatching(before?.id ?? '')]);
	expect(await statusOf(gateway, id)).toMatchObject({status: 'working'});

	const {laptop: _, ...others} = clients;
	await gateway.change(configOf(garden, {clients: others}));
	await expect.poll(gateway.waiting).toEqual([]);
	// It is the same client again, whose task has ended.
	await gateway.change(configOf(garden));
	await settled(gateway, id, 'cancelled');
	expect(garden.calls).toBe(0);
});

test('a task is asked about again when the entry of its server was changed, and ends when the server was removed', async () => {
	const garden = await openGarden();
	const gateway = await openTaskGateway(configOf(garden));
	const id = await gateway.callAsTask();
	const [before] = await gateway.waiting();
	const entry = {url: garden.origin, trust: 'untrusted', timeout: 77};
	await gateway.change(configOf(garden, {config: {mcp_servers: {garden: entry}}}));
	await expect.poll(async () => (await gateway.waiting()).length).toBe(1);
	await expect
		.poll(async () => (await gateway.waiting()).map(one => one.id))
		.toEqual([expect.not.stringMatching(before?.id ?? '')]);
	expect(await statusOf(gateway, id)).toMatchObject({status: 'working'});
	const second = await gateway.callAsTask();
	await gateway.allow();
	await settled(gateway, id, 'completed');
	expect(garden.calls).toBe(1);

	await gateway.change(configOf(garden, {config: {mcp_servers: {}}}));
	await settled(gateway, second, 'failed');
	expect(garden.calls).toBe(1);
});

test('a task whose tool is gone after the start fails, and one whose time is over is not found', async () => {
	const garden = await openGarden();
	const first = await openTaskGateway(configOf(garden));
	const id = await first.callAsTask();
	const late = await first.callAsTask({text: 'late'});
	first.leap(86_400_000);
	await expect.poll(first.waiting).toEqual([]);
	expect(await first.laptop.get(late)).toMatchObject({error: {code: -32_602}});

	const next = await openTaskGateway(configOf(garden));
	const gone = await next.callAsTask();
	garden.definition = {...garden.definition, name: 'other'};
	const second = await openTaskGateway(configOf(garden), leftBy(next));
	await settled(second, gone, 'failed');
	expect(await statusOf(second, gone)).toMatchObject({error: {code: -32_602, message: expect.stringContaining(echo)}});
	expect([id === late, garden.calls]).toEqual([false, 0]);
});

test('a hold stops the time of a task also while no gateway runs, and every document says so until the release', async () => {
	const garden = await openGarden();
	const first = await openTaskGateway(configOf(garden));
	const id = await first.callAsTask();
	await first.command('hold', {reason: 'look'});
	await expect.poll(() => statusOf(first, id)).toMatchObject({status: 'working', ttlMs: null});
	expect(await first.waiting()).toMatchObject([{expires_at: null}]);

	await first.gateway.stop('test');
	// Later than its time.
	const second = await openTaskGateway(configOf(garden), first.root, 3 * 86_400_000);
	await expect.poll(second.waiting).toMatchObject([{expires_at: null}]);
	expect(await statusOf(second, id)).toMatchObject({status: 'working', ttlMs: null});
	const {held} = await second.command('hold.show', {});
	expect(await second.command('unhold', {hash: held?.hash ?? ''})).toMatchObject({answer: 'released'});
	await expect.poll(second.waiting).toMatchObject([{expires_at: expect.any(Number)}]);
	await expect.poll(() => statusOf(second, id)).toMatchObject({status: 'working', ttlMs: expect.any(Number)});
	expect(await second.allow()).toMatchObject({answer: 'resolved'});
	await settled(second, id, 'completed');
	expect(garden.calls).toBe(1);
});
