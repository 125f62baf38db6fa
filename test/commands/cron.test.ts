import {readFileSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {describe, expect, test} from 'vitest';
import {runSluice} from '../helpers/run-sluice.ts';
import {startSluice, stateDirectory} from '../helpers/sluice.ts';

const create = (home: string, ...more: readonly string[]) =>
	runSluice({home}, 'cron', 'create', 'Report', '--schedule', 'every 10m', '--prompt', 'Write it', '--json', ...more);

describe('without a gateway', () => {
	test('a job is made, listed, paused, resumed and removed', async () => {
		const home = stateDirectory({});
		const made = JSON.parse((await create(home, '--deliver', 'log', '--skills', 'a, b')).stdout);
		expect(made).toMatchObject({name: 'Report', schedule: 'every 10m', state: 'scheduled', last_status: null});
		const file = JSON.parse(readFileSync(join(home, 'cron', 'jobs.json'), 'utf8'));
		expect(file.jobs).toMatchObject([{id: made.id, prompt: 'Write it', skills: ['a', 'b'], enabled: true}]);

		expect(JSON.parse((await runSluice({home}, 'cron', 'pause', 'report', '--json')).stdout).state).toBe('paused');
		expect(JSON.parse((await runSluice({home}, 'cron', 'resume', made.id, '--json')).stdout).state).toBe('scheduled');
		expect(JSON.parse((await runSluice({home}, 'cron', 'list', '--json')).stdout)).toMatchObject([{id: made.id}]);
		expect((await runSluice({home}, 'cron', 'remove', 'Report')).code).toBe(0);
		expect(JSON.parse((await runSluice({home}, 'cron', 'list', '--json')).stdout)).toEqual([]);
	});

	test('the answer says which kind of schedule it is, with the time', async () => {
		const home = stateDirectory({});
		const line = async (name: string, schedule: string) => {
			const {stdout} = await runSluice({home}, 'cron', 'create', name, '--schedule', schedule, '--prompt', 'x');
			return /^Schedule {2}(.*)$/mu.exec(stdout)?.[1];
		};

		const time = String.raw`\d{4}-\d\d-\d\d \d\d:\d\d:\d\d`;
		expect(await line('a', '30m')).toMatch(new RegExp(`^once, at ${time}$`, 'u'));
		expect(await line('b', 'every 120minutes')).toMatch(new RegExp(`^every 2h, next at ${time}$`, 'u'));
		expect(await line('c', '0 9 * * 1')).toMatch(new RegExp(`^0 9 \\* \\* 1 \\S+, next at ${time}$`, 'u'));
		const {stdout} = await runSluice({home}, 'cron', 'list', '--json');
		expect(JSON.parse(stdout)).toMatchObject([{kind: 'once'}, {kind: 'interval'}, {kind: 'cron'}]);
	});

	test('an edit changes what its flags name and nothing else, and answers as a creation does', async () => {
		const home = stateDirectory({});
		const made = JSON.parse(
			(await create(home, '--deliver', 'telegram', '--deliver-chat-id', '7', '--skills', 'a')).stdout,
		);
		const job = () => JSON.parse(readFileSync(join(home, 'cron', 'jobs.json'), 'utf8')).jobs[0];
		const before = job();
		const edit = async (...flags: readonly string[]) => runSluice({home}, 'cron', 'edit', ...flags);

		const answer = JSON.parse((await edit('report', '--schedule', 'every 2h', '--json')).stdout);
		expect(answer).toEqual({...made, schedule: 'every 2h', next_run_at: expect.any(Number)});
		expect(answer.next_run_at).toBeGreaterThan(made.next_run_at);
		expect(job()).toEqual({...before, schedule: {kind: 'interval', seconds: 7200}, next_run_at: answer.next_run_at});

		await edit(
			made.id,
			'--name',
			'Weekly',
			'--prompt',
			'Sum up',
			'--deliver',
			'',
			'--deliver-chat-id',
			'',
			'--skills',
			'',
		);
		expect(job()).toMatchObject({
			id: made.id,
			name: 'Weekly',
			prompt: 'Sum up',
			deliver: 'log',
			deliver_extra: {},
			skills: [],
		});
		await edit('weekly', '--schedule', '0 9 * * *', '--time-zone', 'Europe/Berlin');
		await edit('weekly', '--time-zone', 'America/New_York');
		expect(job().schedule).toEqual({kind: 'cron', expression: '0 9 * * *', time_zone: 'America/New_York'});
		expect((await edit('Weekly', '--schedule', '30m')).stdout).toMatch(/^Schedule {2}once, at /mu);
	});

	test('several targets and those of failures are kept, and an edit of one leaves the other', async () => {
		const home = stateDirectory({});
		const flags = ['--deliver', 'slack,telegram', '--deliver-chat-id', '7', '--on-failure', 'log,email'];
		const made = JSON.parse((await create(home, ...flags)).stdout);
		expect(made).toMatchObject({deliver: 'slack,telegram', targets: ['slack', 'telegram']});
		const job = () => JSON.parse(readFileSync(join(home, 'cron', 'jobs.json'), 'utf8')).jobs[0];
		const onFailure = {deliver: 'log,email', extra: {}};
		expect(job()).toMatchObject({deliver: 'slack,telegram', deliver_extra: {chat_id: '7'}, on_failure: onFailure});
		await runSluice({home}, 'cron', 'edit', made.id, '--deliver', 'telegram,discord');
		expect(job()).toMatchObject({deliver: 'telegram,discord', deliver_extra: {chat_id: '7'}, on_failure: onFailure});
		await runSluice({home}, 'cron', 'edit', made.id, '--on-failure', '');
		expect(job()).not.toHaveProperty('on_failure');
		const twice = await runSluice({home}, 'cron', 'edit', made.id, '--deliver', 'slack,slack');
		expect([twice.code, twice.stderr]).toEqual([1, expect.stringContaining('slack is named twice')]);
	});

	test('an edit that cannot be made leaves the job as it was', async () => {
		const home = stateDirectory({});
		await create(home);
		await runSluice({home}, 'cron', 'create', 'Other', '--schedule', '30m', '--prompt', 'x');
		const path = join(home, 'cron', 'jobs.json');
		const before = readFileSync(path, 'utf8');
		for (const [flags, code, text] of [
			[['Report'], 2, 'No setting to change was given'],
			[['Report', '--name', 'other'], 1, 'A job named "other" already exists'],
			[['Report', '--prompt', ' '], 1, 'a prompt'],
			[['Report', '--schedule', 'often'], 1, '`30m` (once, in 30 minutes)'],
			[['Report', '--schedule', '2020-01-01'], 1, 'a time in the future'],
			[['Report', '--time-zone', 'Europe/Berlin'], 1, 'Only a cron expression has a time zone'],
			[['Report', '--deliver', 'pigeon'], 1, 'Allowed: log'],
			[['nobody', '--prompt', 'x'], 1, 'No job has the id or name "nobody"'],
		] as const) {
			const done = await runSluice({home}, 'cron', 'edit', ...flags);
			expect([done.code, done.stderr]).toEqual([code, expect.stringContaining(text)]);
		}

		expect(readFileSync(path, 'utf8')).toBe(before);
	});

	test('a job that is fired runs in this process, and waits in the inbox when there is no model', async () => {
		const home = stateDirectory({model: {provider: 'none'}});
		await create(home);
		const fired = await runSluice({home}, 'cron', 'run', 'Report', '--json');
		expect(JSON.parse(fired.stdout)).toMatchObject({outcome: 'fired', reason: null});
		expect(fired.code).toBe(0);
		expect(JSON.parse((await runSluice({home}, 'cron', 'list', '--json')).stdout)).toMatchObject([
			{state: 'scheduled', last_status: 'waits in the inbox'},
		]);
	});
});

test('with a gateway the jobs are those of the gateway, which publishes them', async () => {
	const home = stateDirectory({model: {provider: 'none'}});
	const gateway = startSluice({home}, 'gateway', 'run', '--log', 'json');
	await gateway.waitForLine('"gateway.started"');
	await create(home);
	expect(JSON.parse(await gateway.waitForLine('"cron.job"'))).toMatchObject({name: 'Report', state: 'scheduled'});
	expect((await runSluice({home}, 'cron', 'run', 'Report')).code).toBe(0);
	expect(JSON.parse(await gateway.waitForLine('"cron.fired"'))).toMatchObject({job: 'Report', by: 'the command line'});
	expect(JSON.parse(await gateway.waitForLine('"inbox"'))).toMatchObject({job: 'Report'});
	await runSluice({home}, 'cron', 'edit', 'Report', '--schedule', 'every 3h');
	expect(JSON.parse(await gateway.waitForLine('every 3h'))).toMatchObject({type: 'cron.job', schedule: 'every 3h'});
	await runSluice({home}, 'cron', 'pause', 'Report');
	const dropped = await runSluice({home}, 'cron', 'run', 'Report');
	expect([dropped.code, dropped.stderr]).toEqual([1, expect.stringContaining('the job is paused')]);
});

describe('what is refused', () => {
	test.each([
		[['create', 'x', '--prompt', 'p'], 2, '--schedule'],
		[['create', 'x', '--schedule', 'nonsense', '--prompt', 'p'], 1, 'Allowed: five cron fields'],
		[['create', 'x', '--schedule', '30m', '--prompt', 'p', '--deliver', 'pigeon'], 1, 'Allowed: log'],
		[['create', 'x', '--schedule', '@daily', '--prompt', 'p', '--time-zone', 'Mars'], 1, 'IANA'],
		[['pause', 'nobody'], 1, 'No job has the id or name "nobody"'],
		[['run'], 2, 'sluice cron run JOB'],
	] as const)('cron %j', async (words, code, text) => {
		const done = await runSluice({home: stateDirectory({})}, 'cron', ...words);
		expect([done.code, done.stderr]).toEqual([code, expect.stringContaining(text)]);
	});

	test('a file that is broken, and it stays as it was', async () => {
		const home = stateDirectory({});
		await create(home);
		const path = join(home, 'cron', 'jobs.json');
		writeFileSync(path, '{"jobs": 7}');
		expect((await create(home)).code).toBe(1);
		expect(readFileSync(path, 'utf8')).toBe('{"jobs": 7}');
	});
});
