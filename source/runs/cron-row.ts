import {type CronJobState} from '../state/work-event.ts';
import {safeText} from '../util/safe-text.ts';
import {type CronJob} from './cron-job.ts';
import {scheduleText} from './cron-schedule.ts';

/** How a job stands. */
export function jobState(job: CronJob, isRunning: boolean): CronJobState['state'] {
	if (isRunning) {
		return 'running';
	}

	if (!job.enabled) {
		return 'disabled';
	}

	if (job.paused) {
		return 'paused';
	}

	return job.nextRunAt === undefined ? 'finished' : 'scheduled';
}

/** The row of a job, its texts safe to show. */
export function jobRow(job: CronJob, isRunning: boolean): CronJobState {
	return {
		type: 'cron.job',
		id: job.id,
		name: safeText(job.name, {maximumCharacters: 200}),
		schedule: safeText(scheduleText(job.schedule), {maximumCharacters: 200}),
		state: jobState(job, isRunning),
		nextRunAt: job.nextRunAt,
		lastRunAt: job.lastRunAt,
		lastStatus: job.lastStatus === undefined ? undefined : safeText(job.lastStatus, {maximumCharacters: 200}),
		deliver: safeText(job.deliver, {maximumCharacters: 100}),
	};
}
