import {Cron} from 'croner';
import {errorText, Problem} from '../util/problem.ts';
import {safeText} from '../util/safe-text.ts';

/** When a job runs (docs/agents.md, Scheduled jobs): by a cron expression in its time zone, at an interval, or once. */
export type CronSchedule =
	| {readonly kind: 'cron'; readonly expression: string; readonly timeZone: string}
	| {readonly kind: 'interval'; readonly seconds: number}
	| {readonly kind: 'once'; readonly at: number};

const unitSeconds: Readonly<Record<string, number>> = {s: 1, m: 60, h: 3600, d: 86_400};
const shortestSeconds = 10;
const longestSeconds = 366 * 86_400;

/**
Parses a schedule: a cron expression of five fields or `@daily`, an interval (`every 5m`, `@every 90s`), or one date
(`2026-12-01T09:00`, in the time zone, or with an offset). Throws `cron_invalid`, which names the allowed forms.
*/
export function parseSchedule(text: string, timeZone: string): CronSchedule {
	const trimmed = text.trim();
	const interval = /^@?every\s+(\d{1,9})\s*([smhd])$/iu.exec(trimmed);
	if (interval) {
		return {kind: 'interval', seconds: intervalSeconds(Number(interval[1]), interval[2] ?? '', text)};
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
(docs/agents.md, Scheduled jobs). Throws `cron_invalid` for an unusable expression or time zone.
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

function intervalSeconds(count: number, unit: string, text: string): number {
	const seconds = count * (unitSeconds[unit.toLowerCase()] ?? 0);
	if (seconds < shortestSeconds || seconds > longestSeconds) {
		throw invalid(text, `an interval from ${shortestSeconds}s to 366d`);
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
		throw invalid(
			`${expression} ${timeZone}`,
			`five cron fields, @daily and the like, every 5m, or a single date (${errorText(caught)})`,
		);
	}
}

/** The problem of an unusable schedule. */
export function invalid(found: string, allowed: string): Problem {
	const shown = safeText(found, {maximumCharacters: 100});
	return new Problem('cron_invalid', {message: `found the schedule ${JSON.stringify(shown)}, allowed: ${allowed}`});
}
