import {Cron} from 'croner';
import {errorText} from '../util/problem.ts';
import {type CronSchedule, invalid} from './cron-schedule.ts';

/**
When a schedule comes due next after an instant, in milliseconds since the epoch; undefined: never again. croner computes, nothing of it runs
(docs/agents.md, Scheduled jobs). Throws `cron_invalid` for an expression or a time zone that cannot be used.
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

function nextOfExpression(schedule: Extract<CronSchedule, {kind: 'cron'}>, after: number): number | undefined {
	const {expression, timeZone} = schedule;
	try {
		const cron = new Cron(expression, {timezone: timeZone, mode: '5-part', paused: true});
		return cron.nextRun(new Date(after))?.getTime();
	} catch (caught) {
		throw invalid(
			`${expression} ${timeZone}`,
			`five fields of cron, @daily and the like, every 5m, or one date (${errorText(caught)})`,
		);
	}
}
