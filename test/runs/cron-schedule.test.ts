import {describe, expect, test} from 'vitest';
import {nextRunAt} from '../../source/runs/cron-clock.ts';
import {parseSchedule, scheduleText} from '../../source/runs/cron-schedule.ts';

const at = (text: string) => Date.parse(text);
const next = (schedule: string, timeZone: string, after: string) => {
	const found = nextRunAt(parseSchedule(schedule, timeZone), at(after));
	return found === undefined ? undefined : new Date(found).toISOString();
};

describe('when a job comes due', () => {
	test.each([
		['0 9 * * 1-5', 'UTC', '2026-11-20T09:00:00Z', '2026-11-23T09:00:00.000Z'],
		['0 9 * * *', 'Europe/Berlin', '2026-07-01T00:00:00Z', '2026-07-01T07:00:00.000Z'],
		['0 9 * * *', 'Europe/Berlin', '2026-12-01T00:00:00Z', '2026-12-01T08:00:00.000Z'],
		// The hour that is left out in spring: the job runs after it, once.
		['30 2 * * *', 'Europe/Berlin', '2026-03-29T00:00:00Z', '2026-03-29T01:00:00.000Z'],
		['@daily', 'UTC', '2026-01-01T12:00:00Z', '2026-01-02T00:00:00.000Z'],
		['every 5m', 'UTC', '2026-01-01T12:00:00Z', '2026-01-01T12:05:00.000Z'],
		['@every 90s', 'UTC', '2026-01-01T12:00:00Z', '2026-01-01T12:01:30.000Z'],
		['2026-12-01T09:00', 'Europe/Berlin', '2026-11-01T00:00:00Z', '2026-12-01T08:00:00.000Z'],
		['2026-12-01 09:00', 'America/New_York', '2026-11-01T00:00:00Z', '2026-12-01T14:00:00.000Z'],
		['2026-12-01T09:00+01:00', 'UTC', '2026-11-01T00:00:00Z', '2026-12-01T08:00:00.000Z'],
		['2026-12-01T09:00Z', 'UTC', '2026-12-01T09:00:00Z', undefined],
	])('%s in %s after %s: %s', (schedule, timeZone, after, expected) => {
		expect(next(schedule, timeZone, after)).toBe(expected);
	});

	test.each(['0 0 30 2 *', '0 0 31 4 *'])('%s never does', schedule => {
		expect(next(schedule, 'UTC', '2026-01-01T00:00:00Z')).toBeUndefined();
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
		'2026-13-01T00:00',
		'nonsense',
		'5/15 * * * *',
	])('%j', schedule => {
		expect(() => next(schedule, 'UTC', '2026-01-01T00:00:00Z')).toThrow(/found the schedule .*allowed: /u);
	});

	test('a time zone that is none', () => {
		expect(() => next('0 9 * * *', 'Mars/Phobos', '2026-01-01T00:00:00Z')).toThrow(/Mars/u);
	});
});

test.each([
	['0 9 * * 1', 'Europe/Berlin', '0 9 * * 1 Europe/Berlin'],
	['every 120m', 'UTC', 'every 2h'],
	['every 90s', 'UTC', 'every 90s'],
	['2026-12-01T09:00Z', 'UTC', 'at 2026-12-01T09:00:00Z'],
])('%s is listed as %s', (schedule, timeZone, words) => {
	expect(scheduleText(parseSchedule(schedule, timeZone))).toBe(words);
});
