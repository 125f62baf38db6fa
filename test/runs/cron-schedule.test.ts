import {describe, expect, test} from 'vitest';
import {nextRunAt, parseSchedule, scheduleText} from '../../source/runs/cron-schedule.ts';

const at = (text: string) => Date.parse(text);
const next = ({
	schedule,
	timeZone = 'UTC',
	after = '2026-01-01T00:00:00Z',
}: {
	schedule: string;
	timeZone?: string;
	after?: string;
}) => {
	const found = nextRunAt(parseSchedule(schedule, timeZone, at(after)), at(after));
	return found === undefined ? undefined : new Date(found).toISOString();
};

describe('when a job comes due', () => {
	test.each([
		{schedule: '0 9 * * 1-5', timeZone: 'UTC', after: '2026-11-20T09:00:00Z', expected: '2026-11-23T09:00:00.000Z'},
		{
			schedule: '0 9 * * *',
			timeZone: 'Europe/Berlin',
			after: '2026-07-01T00:00:00Z',
			expected: '2026-07-01T07:00:00.000Z',
		},
		{
			schedule: '0 9 * * *',
			timeZone: 'Europe/Berlin',
			after: '2026-12-01T00:00:00Z',
			expected: '2026-12-01T08:00:00.000Z',
		},
		// The hour that is left out in spring: the job runs after it, once.
		{
			schedule: '30 2 * * *',
			timeZone: 'Europe/Berlin',
			after: '2026-03-29T00:00:00Z',
			expected: '2026-03-29T01:00:00.000Z',
		},
		{schedule: '@daily', timeZone: 'UTC', after: '2026-01-01T12:00:00Z', expected: '2026-01-02T00:00:00.000Z'},
		{schedule: 'every 5m', timeZone: 'UTC', after: '2026-01-01T12:00:00Z', expected: '2026-01-01T12:05:00.000Z'},
		{schedule: 'every 1min', timeZone: 'UTC', after: '2026-01-01T12:00:00Z', expected: '2026-01-01T12:01:00.000Z'},
		{schedule: '30m', timeZone: 'UTC', after: '2026-01-01T12:00:00Z', expected: '2026-01-01T12:30:00.000Z'},
		{schedule: ' 2 Hours ', timeZone: 'UTC', after: '2026-01-01T12:00:00Z', expected: '2026-01-01T14:00:00.000Z'},
		{schedule: '@every 90s', timeZone: 'UTC', after: '2026-01-01T12:00:00Z', expected: '2026-01-01T12:01:30.000Z'},
		{
			schedule: '2026-12-01T09:00',
			timeZone: 'Europe/Berlin',
			after: '2026-11-01T00:00:00Z',
			expected: '2026-12-01T08:00:00.000Z',
		},
		{
			schedule: '2026-12-01 09:00',
			timeZone: 'America/New_York',
			after: '2026-11-01T00:00:00Z',
			expected: '2026-12-01T14:00:00.000Z',
		},
		{
			schedule: '2026-12-01T09:00+01:00',
			timeZone: 'UTC',
			after: '2026-11-01T00:00:00Z',
			expected: '2026-12-01T08:00:00.000Z',
		},
		{schedule: '2026-12-01T09:00Z', timeZone: 'UTC', after: '2026-12-01T09:00:00Z', expected: undefined},
	])('$schedule in $timeZone after $after: $expected', ({expected, ...plan}) => {
		expect(next(plan)).toBe(expected);
	});

	test.each(['0 0 30 2 *', '0 0 31 4 *'])('%s never does', schedule => {
		expect(next({schedule})).toBeUndefined();
	});
});

describe('what is refused, with what is allowed', () => {
	test.each([
		'',
		'* * * *',
		'* * * * * *',
		'61 * * * *',
		'every 1s',
		'every 999d',
		'every 5 fortnights',
		'every m',
		'5s',
		'999d',
		'30',
		'30 min later',
		'2026-13-01T00:00',
		'nonsense',
		'5/15 * * * *',
	])('%j', schedule => {
		expect(() => next({schedule})).toThrow(/is not a valid schedule\. Allowed: /u);
	});

	test('an unknown time zone', () => {
		expect(() => next({schedule: '0 9 * * *', timeZone: 'Mars/Phobos'})).toThrow(/Mars/u);
	});
});

test.each([
	['0 9 * * 1', 'Europe/Berlin', '0 9 * * 1 Europe/Berlin'],
	['every 120m', 'UTC', 'every 2h'],
	['every 90s', 'UTC', 'every 90s'],
	['every 1min', 'UTC', 'every 1m'],
	['every 120minutes', 'UTC', 'every 2h'],
	['every 30 mins', 'UTC', 'every 30m'],
	['every 1 hour', 'UTC', 'every 1h'],
	['EVERY 2 Days', 'UTC', 'every 2d'],
	['every 45 seconds', 'UTC', 'every 45s'],
	['30m', 'UTC', 'at 2026-01-01T00:30:00Z'],
	['2h', 'UTC', 'at 2026-01-01T02:00:00Z'],
	['90 minutes', 'UTC', 'at 2026-01-01T01:30:00Z'],
	['2026-12-01T09:00Z', 'UTC', 'at 2026-12-01T09:00:00Z'],
])('%s is listed as %s', (schedule, timeZone, words) => {
	expect(scheduleText(parseSchedule(schedule, timeZone, at('2026-01-01T00:00:00Z')))).toBe(words);
});
