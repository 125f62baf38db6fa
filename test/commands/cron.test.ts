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
	await runSluice({home}, 'cron', 'pause', 'Report');
	const dropped = await runSluice({home}, 'cron', 'run', 'Report');
	expect([dropped.code, dropped.stderr]).toEqual([1, expect.stringContaining('the job is paused')]);
});

describe('what is refused', () => {
	test.each([
		[['create', 'x', '--prompt', 'p'], 2, '--schedule'],
		[['create', 'x', '--schedule', 'nonsense', '--prompt', 'p'], 1, 'allowed: five cron fields'],
		[['create', 'x', '--schedule', '@daily', '--prompt', 'p', '--time-zone', 'Mars'], 1, 'IANA'],
		[['pause', 'nobody'], 1, 'There is no job with the id or name "nobody"'],
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
