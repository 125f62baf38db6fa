import {describe, expect, test} from 'vitest';
import {dateText, dayInZone, isTimeZone} from '../../../source/util/limits/day-in-zone.ts';

const hours = (from: number, to: number) => (to - from) / 3_600_000;

describe('the day of a time zone', () => {
	test.each([
		{timeZone: 'UTC', at: '2026-01-31T23:59:59.999Z', date: 20260131, startsAt: '2026-01-31T00:00:00.000Z', length: 24},
		{timeZone: 'UTC', at: '2026-02-01T00:00:00.000Z', date: 20260201, startsAt: '2026-02-01T00:00:00.000Z', length: 24},
		{
			timeZone: 'Asia/Kathmandu',
			at: '2026-01-31T18:14:59.999Z',
			date: 20260131,
			startsAt: '2026-01-30T18:15:00.000Z',
			length: 24,
		},
		{
			timeZone: 'Asia/Kathmandu',
			at: '2026-01-31T18:15:00.000Z',
			date: 20260201,
			startsAt: '2026-01-31T18:15:00.000Z',
			length: 24,
		},
		{
			timeZone: 'Europe/Berlin',
			at: '2026-03-29T12:00:00.000Z',
			date: 20260329,
			startsAt: '2026-03-28T23:00:00.000Z',
			length: 23,
		},
		{
			timeZone: 'Europe/Berlin',
			at: '2026-10-25T12:00:00.000Z',
			date: 20261025,
			startsAt: '2026-10-24T22:00:00.000Z',
			length: 25,
		},
		{
			timeZone: 'America/Los_Angeles',
			at: '2026-01-01T07:59:59.999Z',
			date: 20251231,
			startsAt: '2025-12-31T08:00:00.000Z',
			length: 24,
		},
	])('in $timeZone at $at is $date', ({timeZone, at, date, startsAt, length}) => {
		const day = dayInZone(Date.parse(at), timeZone);
		expect(day.date).toBe(date);
		expect(new Date(day.startsAt).toISOString()).toBe(startsAt);
		expect(hours(day.startsAt, day.endsAt)).toBe(length);
	});

	test('is written as people write a date', () => {
		expect([dateText(20260131), dateText(9990101)]).toEqual(['2026-01-31', '0999-01-01']);
	});

	test.each([
		['UTC', true],
		['Europe/Berlin', true],
		['Europe/Nowhere', false],
		['', false],
	])('"%s" names a time zone: %s', (name, isOne) => {
		expect(isTimeZone(name)).toBe(isOne);
	});
});
