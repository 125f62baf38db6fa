import {expect, test} from 'vitest';
import {runSluice, runSluiceJson} from '../helpers/run-sluice.ts';
import {startSluice, stateDirectory} from '../helpers/sluice.ts';
import {taskClient} from '../tools/endpoint/tasks-fixture.ts';
import {garden, listTasks} from './garden.ts';

const token = 'token-of-the-laptop';
const config = {
	mcp_servers: {garden},
	approvals: {unattended: 'hold'},
	gateway: {endpoint: {port: 0, clients: {laptop: {token}}}},
};

/** A gateway that is there, and its client. */
async function start(home: string) {
	const gateway = startSluice({home}, 'gateway', 'run');
	const [, url = ''] = /(http:\S+\/mcp)/u.exec(await gateway.waitForLine(/http:\S+\/mcp/u)) ?? [];
	await gateway.waitForLine('garden connected');
	return {gateway, client: taskClient(new URL(url), {token})};
}

test('a client asks, waits as a task, the gateway is killed and started, a person allows it elsewhere: the tool runs once', async () => {
	const home = stateDirectory(config);
	const first = await start(home);
	const answer = await first.client.call('mcp__garden__add_task', {title: 'Mow the lawn'});
	expect(answer.result).toMatchObject({resultType: 'task', status: 'working'});
	const id = String(answer.result?.['taskId']);
	first.gateway.signal('SIGKILL');
	expect((await first.gateway.end).code).toBe(137);

	const second = await start(home);
	await second.gateway.waitForLine('asks for garden/add_task');
	const [request] = (await runSluiceJson({home}, 'approvals', 'list')) as Array<{
		id: string;
		arguments_hash: string;
		origin: object;
	}>;
	expect(request?.origin).toMatchObject({name: 'laptop', task: id});
	const allowed = await runSluice(
		{home},
		'approvals',
		'allow',
		request?.id ?? '',
		'--hash',
		request?.arguments_hash ?? '',
	);
	expect(allowed).toMatchObject({code: 0, stderr: expect.stringContaining(`task ${id.slice(-8)}`)});
	await expect
		.poll(async () => (await second.client.get(id)).result, {timeout: 5000})
		.toMatchObject({
			status: 'completed',
			result: {content: [{text: 'Added #4 Mow the lawn (garden)'}]},
		});
	expect((await runSluice({home}, ...listTasks)).stdout).toContain('#4');
	const {stdout} = await runSluice({home}, 'calls', 'list');
	expect(stdout.match(/add_task/gu)).toHaveLength(1);
	expect(stdout).toContain(`task ${id.slice(-8)}`);
});
