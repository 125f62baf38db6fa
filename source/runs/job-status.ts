import {type Publish} from '../state/event.ts';
import {type CronJobState} from '../state/work-event.ts';
import {safeText} from '../util/safe-text.ts';
import {type CronJob} from './cron-job.ts';
import {scheduleText} from './cron-schedule.ts';
import {type CronStore} from './cron-store.ts';

/** What windows see of the jobs, and which of them run. */
export type JobStatus = {
	/** Shows the jobs as the file has them now. */
	readonly show: () => void;
	readonly showJob: (job: CronJob) => void;
	/** The run of a job that has begun, or may begin any moment. */
	readonly begin: (runId: string, jobId: string) => void;
	/** The job whose run that was; undefined when it was no job's. */
	readonly end: (runId: string) => string | undefined;
};

/** Opens an empty list. */
export function createJobStatus(store: Pick<CronStore, 'list'>, publish: Publish): JobStatus {
	/** Jobs by the number of their run. */
	const running = new Map<string, string>();
	const shown = new Set<string>();
	const showJob = (job: CronJob) => {
		shown.add(job.id);
		publish(jobRow(job, [...running.values()].includes(job.id)));
	};

	return {
		showJob,
		show() {
			const jobs = store.list();
			for (const id of [...shown].filter(known => !jobs.some(job => job.id === known))) {
				shown.delete(id);
				publish({type: 'cron.removed', id});
			}

			jobs.forEach(showJob);
		},
		begin: (runId, jobId) => void running.set(runId, jobId),
		end(runId) {
			const jobId = running.get(runId);
			running.delete(runId);
			return jobId;
		},
	};
}

/** How a job stands. */
function jobState(job: CronJob, isRunning: boolean): CronJobState['state'] {
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
