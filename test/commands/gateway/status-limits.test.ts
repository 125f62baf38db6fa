import {expect, test} from 'vitest';
import {runStatus} from '../../../source/commands/gateway/status.ts';
import {startControl} from '../../control/control-fixture.ts';
import {openContext} from '../command-fixture.ts';

test('sluice status lists the limits of the day in lines that fit 40 columns', async () => {
	const limits = [
		{path: 'limits.day.tokens', unit: 'tokens', spent: 4_200_000, limit: 5_000_000, state: 'near', ends_at: 1},
		{path: 'limits.day.usd', unit: 'usd', spent: 0.5, limit: 20, state: 'counting', ends_at: 1},
		{path: 'limits.jobs.report.day.runs', unit: 'runs', spent: 3, limit: 3, state: 'open', ends_at: 1},
	] as const;
	const {path} = await startControl({
		status: () => ({version: '0', pid: 7, profile: 'default', webhook_url: null, limits: [...limits]}),
	});
	const text = openContext({controlSocket: path});
	expect(await runStatus(text.context)).toBe(0);
	expect(text.stdout().split('\n').slice(1, 9)).toEqual([
		'Limits   day.tokens',
		'           4,200,000 of 5,000,000 tokens',
		'           near',
		'         day.usd',
		'           $0.50 of $20.00',
		'         jobs.report.day.runs',
		'           3 of 3 runs',
		'           reached, waits for you',
	]);
	expect(
		text
			.stdout()
			.split('\n')
			.filter(line => line.length > 40),
	).toEqual([]);
	const json = openContext({controlSocket: path, flags: {json: true}});
	await runStatus(json.context);
	expect(JSON.parse(json.stdout())).toMatchObject({limits});
});
