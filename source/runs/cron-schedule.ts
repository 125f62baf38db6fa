import {Cron} from 'croner';
import {errorText, Problem} from '../util/problem.ts';
import {safeText} from '../util/safe-text.ts';

/** When a job runs (docs/jobs.md, Scheduled jobs): by a cron expression in its time zone, at an interval, or once. */
export type CronSchedule =
	| {readonly kind: 'cron'; readonly expression: string; readonly timeZone: string}
	| {readonly kind: 'interval'; readonly seconds: number}
	| {readonly kind: 'once'; readonly at: number};

const unitSeconds: Readonly<Record<string, number>> = {s: 1, m: 60, h: 3600, d: 86_400};
const shortestSeconds = 10;
const longestSeconds = 366 * 86_400;

/** A number and a unit: `30m`, `1min`, `120 minutes`, `2h`. Its second part is the first letter of the unit. */
const span = String.raw`(\d{1,9})\s*(?:(s)(?:ecs?|econds?)?|(m)(?:ins?|inutes?)?|(h)(?:rs?|ours?)?|(d)(?:ays?)?)`;
const interval = new RegExp(`^@?every\\s+${span}$`, 'iu');
const delay = new RegExp(`^${span}$`, 'iu');

const allowedForms =
	'five cron fields, @daily and the like, `every 30m` (an interval), `30m` (once, in 30 minutes), or a date such as 2026-12-01T09:00';

/**
Parses a schedule (docs/jobs.md, Scheduled jobs): a cron expression of five fields or `@daily`, an interval (`every 5m`, `@every 90s`), a delay
from `now` (`30m`: once), or one date (`2026-12-01T09:00`, in the time zone, or with an offset). Throws `cron_invalid`, which names the allowed forms.
*/
export function parseSchedule(text: string, timeZone: string, now: number): CronSchedule {
	const trimmed = text.trim();
	const every = spanSeconds(interval.exec(trimmed), text);
	if (every !== undefined) {
		return {kind: 'interval', seconds: every};
	}

	const after = spanSeconds(delay.exec(trimmed), text);
	if (after !== undefined) {
		return {kind: 'once', at: now + after * 1000};
	}

	if (/^\d{4}-\d{2}-\d{2}/u.test(trimmed)) {
		return {kind: 'once', at: instantOf(trimmed, timeZone)};
	}

	return {kind: 'cron', expression: trimmed, timeZone};
}

/** The schedule in words, for listings. */
export function scheduleText(schedule: CronSchedule): string {
	switch (schedule.kind) {
		case 'cron':
			return `${schedule.expression} ${schedule.timeZone}`;
		case 'interval':
			return `every ${intervalText(schedule.seconds)}`;
		case 'once':
			return `at ${new Date(schedule.at).toISOString().replace('.000Z', 'Z')}`;
	}
}

/**
The next time of a schedule after an instant, in milliseconds since the epoch; undefined: never again. croner only computes it
(docs/jobs.md, Scheduled jobs). Throws `cron_invalid` for an unusable expression or time zone.
*/
export function nextRunAt(schedule: CronSchedule, after: number): number | undefined {
	switch (schedule.kind) {
		case 'once':
			return schedule.at > after ? schedule.at : undefined;
		case 'interval':
			return after + schedule.seconds * 1000;
		case 'cron':
			return nextOfExpression(schedule, after);
	}
}

/** The seconds of a matched span; undefined where nothing matched. */
function spanSeconds(match: RegExpExecArray | null, text: string): number | undefined {
	if (!match) {
		return undefined;
	}

	const [, count = '', ...units] = match;
	const unit = units.find(letter => letter !== undefined) ?? '';
	const seconds = Number(count) * (unitSeconds[unit.toLowerCase()] ?? 0);
	if (seconds < shortestSeconds || seconds > longestSeconds) {
		throw invalid(text, `a time from ${shortestSeconds}s to 366d`);
	}

	return seconds;
}

function intervalText(seconds: number): string {
	const unit = Object.entries(unitSeconds)
		.toReversed()
		.find(([, length]) => seconds % length === 0);
	return unit ? `${seconds / unit[1]}${unit[0]}` : `${seconds}s`;
}

/** A date without an offset is in the time zone of the job. */
function instantOf(text: string, timeZone: string): number {
	const withOffset = /(?:Z|[+-]\d{2}:?\d{2})$/iu.test(text);
	const plain = Date.parse(withOffset ? text : `${text.includes('T') ? text : text.replace(' ', 'T')}Z`);
	if (Number.isNaN(plain)) {
		throw invalid(text, 'a date such as 2026-12-01T09:00');
	}

	return withOffset ? plain : inZone(plain, timeZone);
}

/** The instant at which clocks in the zone show what `plain` shows in UTC. Computed twice, because the offset is that of the result. */
function inZone(plain: number, timeZone: string): number {
	const guess = plain - offsetAt(plain, timeZone);
	return plain - offsetAt(guess, timeZone);
}

function offsetAt(instant: number, timeZone: string): number {
	const format = new Intl.DateTimeFormat('en-US', {timeZone, timeZoneName: 'longOffset'});
	const name = format.formatToParts(instant).find(({type}) => type === 'timeZoneName')?.value ?? 'GMT';
	const [, sign = '+', hours = '0', minutes = '0'] = /([+-])(\d{2}):(\d{2})/u.exec(name) ?? [];
	return (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes)) * 60_000;
}

function nextOfExpression(schedule: Extract<CronSchedule, {kind: 'cron'}>, after: number): number | undefined {
	const {expression, timeZone} = schedule;
	try {
		const cron = new Cron(expression, {timezone: timeZone, mode: '5-part', paused: true});
		return cron.nextRun(new Date(after))?.getTime();
	} catch (caught) {
		const text = errorText(caught);
		const [, field = '', value = ''] = /^CronPattern: Invalid value for ([\w ]+): (\S+)/u.exec(text) ?? [];
		const found = text.startsWith('CronPattern') ? expression : `${expression} ${timeZone}`;
		throw invalid(found, field === '' ? allowedForms : `${allowedForms} (the ${field} ${value} does not exist)`);
	}
}

/** The problem of an unusable schedule. */
export function invalid(found: string, allowed: string): Problem {
	const shown = safeText(found, {maximumCharacters: 100});
	return new Problem('cron_invalid', {
		message: `${JSON.stringify(shown)} is not a valid schedule. Allowed: ${allowed}`,
	});
}
