import {expect, test} from 'vitest';
import {runSluice, runSluiceJson} from '../helpers/run-sluice.ts';
import {type Running, startSluice, stateDirectory, typeSluice} from '../helpers/sluice.ts';
import {addTask, garden, listTasks} from './garden.ts';

/** Starts a call and answers the id under which it waits. */
async function ask(at: {home: string}, gateway: Running, line: string | RegExp = 'asks for garden/add_task') {
	const call = startSluice(at, ...addTask, '--json');
	await gateway.waitForLine(line);
	const waiting = (await runSluiceJson(at, 'approvals', 'list')) as Array<{id: string; arguments_hash: string}>;
	expect(waiting).toMatchObject([
		{
			kind: 'tool-call',
			server: 'garden',
			tool: 'add_task',
			arguments: {title: 'Mow the lawn'},
			origin: {kind: 'command-line'},
		},
	]);
	return {call, id: waiting[0]?.id ?? '', hash: waiting[0]?.arguments_hash ?? ''};
}

async function openGateway() {
	const at = {home: stateDirectory({mcp_servers: {garden}, approvals: {unattended: 'hold'}})};
	const gateway = startSluice(at, 'gateway', 'run');
	await gateway.waitForLine('garden connected');
	return {at, gateway};
}

test('a call that waits without a console is allowed from another terminal, once', async () => {
	const {at, gateway} = await openGateway();
	const {call, id, hash} = await ask(at, gateway);
	expect(await runSluice(at, 'approvals', 'allow', id)).toMatchObject({
		code: 2,
		stderr: expect.stringContaining('needs --hash'),
	});
	expect(await runSluice(at, 'approvals', 'allow', id, '--hash', hash.slice(1))).toMatchObject({code: 1});
	expect(await runSluice(at, 'approvals', 'allow', id, '--hash', hash)).toMatchObject({
		code: 0,
		stderr: expect.stringMatching(/"title": "Mow the lawn"[^]*Allowed\.\n$/u),
	});
	const {code, stdout, stderr} = await call.end;
	expect([code, JSON.parse(stdout)]).toEqual([0, {result: 'Added #4 Mow the lawn (garden)'}]);
	expect(stderr).toContain(
		`The call waits for an approval. Answer in the dashboard or with: sluice approvals allow ${id}\n`,
	);

	expect(await runSluice(at, 'approvals', 'deny', id)).toMatchObject({
		code: 1,
		stderr: `sluice: The request ${id} is no longer waiting: it was allowed (once) by cli\n`,
	});
	expect(await runSluiceJson(at, 'approvals', 'list')).toEqual([]);
});

test('at a terminal a person reads the whole request, and only y allows it', async () => {
	const {at, gateway} = await openGateway();
	const {call, id, hash} = await ask(at, gateway);
	const refusing = typeSluice(at, 'approvals', 'allow', id);
	await refusing.waitFor('Allow this call once? [y/N]');
	expect(refusing.screen().join('\n')).toContain('"title": "Mow the lawn"');
	expect(refusing.screen().join('\n')).toContain(`hash: ${hash}`);
	refusing.press('\r');
	await refusing.waitFor('Nothing was allowed.');
	expect(await runSluiceJson(at, 'approvals', 'list')).toMatchObject([{id}]);

	const allowing = typeSluice(at, 'approvals', 'allow', id);
	await allowing.waitFor('Allow this call once? [y/N]');
	allowing.press('y\r');
	await allowing.waitFor('Allowed.');
	expect(await call.end).toMatchObject({code: 0});
});

test('commands allow nothing where the configuration says so, and deny all the same', async () => {
	const at = {home: stateDirectory({mcp_servers: {garden}, approvals: {unattended: 'hold', cli: 'deny'}})};
	const gateway = startSluice(at, 'gateway', 'run');
	await gateway.waitForLine('garden connected');
	const {call, id, hash} = await ask(at, gateway);
	const closed = {code: 1, stderr: expect.stringContaining('approvals.cli: deny')};
	expect(await runSluice(at, 'approvals', 'allow', id, '--hash', hash)).toMatchObject(closed);
	expect(await runSluice(at, ...addTask, '--approve')).toMatchObject(closed);
	expect(await runSluiceJson(at, 'approvals', 'list')).toMatchObject([{id}]);
	expect(await runSluice(at, 'approvals', 'deny', id)).toMatchObject({code: 0, stderr: 'Denied.\n'});
	expect(await call.end).toMatchObject({code: 1});
});

test('a call is denied from another terminal with a reason that reaches its caller', async () => {
	const {at, gateway} = await openGateway();
	const {call, id} = await ask(at, gateway);
	expect(await runSluice(at, 'approvals', 'deny', id, '--message', 'not today')).toMatchObject({code: 0});
	const {code, stdout} = await call.end;
	expect([code, JSON.parse(stdout)]).toMatchObject([
		1,
		{error: {code: 'denied', message: expect.stringContaining('not today')}},
	]);
	expect((await runSluice(at, ...listTasks)).stdout).not.toMatch(/Mow/);
});

test('a call whose caller goes away waits for nobody any more', async () => {
	const {at, gateway} = await openGateway();
	const {call} = await ask(at, gateway);
	call.signal('SIGKILL');
	await gateway.waitForLine('cancelled garden/add_task');
	expect(await runSluiceJson(at, 'approvals', 'list')).toEqual([]);
});

test('a request is named by a part of its id; to allow it, the part must fit no other one of the last hour', async () => {
	const {at, gateway} = await openGateway();
	const first = await ask(at, gateway);
	const end = first.id.slice(-8);
	expect((await runSluice(at, 'approvals', 'list')).stdout).toMatch(new RegExp(`^${end} {2}garden`, 'mu'));
	expect(await runSluice(at, 'approvals', 'allow', end, '--hash', first.hash)).toMatchObject({code: 0});
	expect(await first.call.end).toMatchObject({code: 0});

	const second = await ask(at, gateway, new RegExp(`(?<!${end}) asks for garden/add_task`, 'u'));
	const both = first.id.slice(0, 6);
	expect(second.id.slice(0, 6)).toBe(both);
	expect(await runSluice(at, 'approvals', 'allow', both)).toMatchObject({
		code: 2,
		stdout: '',
		stderr: expect.stringContaining(`"${both}" matches more than one id: ${second.id}, ${first.id}`),
	});
	expect(await runSluice(at, 'approvals', 'allow', second.id.slice(-3))).toMatchObject({code: 2});
	expect(await runSluiceJson(at, 'approvals', 'list')).toMatchObject([{id: second.id}]);

	expect(await runSluice(at, 'approvals', 'deny', both)).toMatchObject({code: 0, stderr: 'Denied.\n'});
	expect(await second.call.end).toMatchObject({code: 1});
});
