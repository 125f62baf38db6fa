import {describe, expect, test} from 'vitest';
import {runShow} from '../../../source/commands/cli/show-row.ts';
import {openContext} from '../command-fixture.ts';

const rows = [
	{
		id: '01890000-aaaa',
		name: 'daily',
		profile: 'default',
		next_run_at: 0,
		tags: ['a', 'b'],
		reason: null,
		note: '\u001B[31m',
	},
	{
		id: '01890000-bbbb',
		name: 'weekly',
		profile: 'default',
		next_run_at: null,
		tags: [],
		reason: 'it is paused',
		note: '',
	},
	{id: '01890000-cccc', name: 'weekly', profile: 'work', next_run_at: null, tags: [], reason: null, note: ''},
] as const;

async function show(typed: string, json = false) {
	const {context, stdout, stderr} = openContext({arguments: [typed], flags: {json}});
	const usage = 'sluice cron show JOB [--json]';
	const code = await runShow<(typeof rows)[number]>(context, {noun: 'job', usage, rows: async () => rows});
	return {code, stdout: stdout(), stderr: stderr()};
}

describe('show', () => {
	test('prints the members that have a value, a line each, safe to show', async () => {
		const {code, stdout} = await show('daily');
		expect(code).toBe(0);
		expect(stdout.replace(/(?<=next run at: ).*/u, 'TIME')).toBe(
			'id: 01890000-aaaa\nname: daily\nprofile: default\nnext run at: TIME\ntags: a, b\nnote: ␛[31m\n',
		);
	});

	test.each(['daily', '01890000-aaaa', 'aaaa'])('finds the row of %s, and prints it as one document', async typed => {
		const {stdout} = await show(typed, true);
		expect(JSON.parse(stdout)).toMatchObject({id: '01890000-aaaa', tags: ['a', 'b'], reason: null});
	});

	test.each([
		['0189', 2, '"0189" matches more than one id'],
		['weekly', 2, 'More than one job is named "weekly", in the profiles default, work'],
		['dayly', 1, 'There is no job named "dayly"; did you mean "daily"?'],
	])('%s ends with %d', async (typed, code, message) => {
		expect(await show(typed)).toMatchObject({code, stdout: '', stderr: expect.stringContaining(message)});
	});
});
