import {describe, expect, test} from 'vitest';
import {noLimits} from '../../../source/config/read/limits-config.ts';
import {readConfigText} from '../../../source/config/read/load-config.ts';
import {problemLine} from '../../../source/util/problem.ts';

function read(text: string) {
	const {config} = readConfigText('config.yaml', text, () => undefined);
	return {limits: config.limits, problems: config.problems.map(problem => problemLine(problem))};
}

describe('limits', () => {
	test('are none by default', () => {
		expect(read('agent: {}\n')).toEqual({limits: noLimits, problems: []});
	});

	test('are read with their units', () => {
		const text = `limits:
  run: {tokens: 100000, usd: 0.5, tool_calls: "40", minutes: 1.5}
  day: {tokens: 2000000, usd: 12.34, runs: 500}
  routes:
    github: {day: {usd: 3}}
  jobs:
    report: {day: {runs: 0}}
  clients:
    codex: {day: {calls: 200}}
  ask_at: 90
  time_zone: Europe/Berlin
  prices:
    tiny: {input: 3, output: 15}
`;
		expect(read(text)).toEqual({
			problems: [],
			limits: {
				run: {tokens: 100_000, microUsd: 500_000, toolCalls: 40, minutes: 1.5},
				day: {tokens: 2_000_000, microUsd: 12_340_000, runs: 500},
				routes: new Map([['github', {microUsd: 3_000_000}]]),
				jobs: new Map([['report', {runs: 0}]]),
				clients: new Map([['codex', 200]]),
				askAtPercent: 90,
				timeZone: 'Europe/Berlin',
				prices: new Map([['tiny', {input: 3, output: 15}]]),
			},
		});
	});

	test('that cannot be read at all allow no request without a person', () => {
		const {limits, problems} = read('limits: {day: 5}\n');
		expect(limits).toEqual({...noLimits, day: {tokens: 0}});
		expect(problems).toEqual([expect.stringMatching(/^config\.yaml:1:15: limits\.day: A number is not allowed here/u)]);
	});

	test.each([
		[
			'limits: {day: {tokens: many}}\n',
			'config.yaml:1:24: limits.day.tokens: "many" is not allowed here. Allowed: a whole number, 0 or more. The key is ignored',
		],
		[
			'limits: {day: {tokens: -1, runs: 3}}\n',
			'config.yaml:1:24: limits.day.tokens: -1 is not allowed here. Allowed: a whole number, 0 or more. The key is ignored',
		],
		['limits: {dya: {tokens: 1}}\n', 'config.yaml:1:10: limits.dya: "dya" is not a known key; did you mean "day"?'],
		[
			'limits: {time_zone: Nowhere/Town}\n',
			'config.yaml:1:21: limits.time_zone: "Nowhere/Town" is not a known time zone. Using UTC',
		],
		[
			'limits: {ask_at: 101}\n',
			'config.yaml:1:18: limits.ask_at: 101 is not allowed here. Allowed: a number from 1 to 100. Using 80',
		],
	])('a mistake in %j is named, and everything else is read', (text, problem) => {
		const {limits, problems} = read(text);
		expect(problems).toEqual([problem]);
		expect(limits).toMatchObject({...noLimits, day: expect.any(Object)});
	});
});
