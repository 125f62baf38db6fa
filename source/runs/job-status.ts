import {type Publish} from '../state/event.ts';
import {type NextAction} from '../state/next-action.ts';
import {type CronJobState} from '../state/work-event.ts';
import {targetNames} from '../util/destinations.ts';
import {safeText} from '../util/safe-text.ts';
import {type CronJob} from './cron-job.ts';
import {scheduleText} from './cron-schedule.ts';
import {type CronStore} from './cron-store.ts';

/** Publishes the jobs, and tracks which of them are running. */
export type JobStatus = {
	/** Publishes all jobs in the file. */
	readonly show: () => void;
	readonly showJob: (job: CronJob) => void;
	/** A run of the job is starting or about to start. */
	readonly begin: (runId: string, jobId: string) => void;
	/** The runs that have begun and are not over, as far as is known. */
	readonly runIds: () => readonly string[];
	/** The run is over. Returns its job, if it had one. */
	readonly end: (runId: string) => string | undefined;
};

/** Creates the status of jobs, none of which run yet. */
export function createJobStatus(store: Pick<CronStore, 'list'>, publish: Publish): JobStatus {
	/** Job ids by run ids. */
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
		runIds: () => [...running.keys()],
		end(runId) {
			const jobId = running.get(runId);
			running.delete(runId);
			return jobId;
		},
	};
}

/** The displayed state of a job. */
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

/** The remedy for a job that does not run by itself any more, or ended badly. */
function jobActions({id, lastStatus}: CronJob, state: CronJobState['state']): readonly NextAction[] {
	switch (state) {
		case 'paused':
		case 'disabled':
			return [{kind: 'resume-job', job: id}];
		case 'finished':
			return [{kind: 'run-job', job: id}];
		case 'scheduled':
			return lastStatus === 'failed' || lastStatus === 'interrupted' ? [{kind: 'run-job', job: id}] : [];
		case 'running':
			return [];
	}
}

/** The row of a job, its texts safe to show. */
export function jobRow(job: CronJob, isRunning: boolean): CronJobState {
	const state = jobState(job, isRunning);
	const nextActions = jobActions(job, state);
	return {
		type: 'cron.job',
		id: job.id,
		name: safeText(job.name, {maximumCharacters: 200}),
		kind: job.schedule.kind,
		schedule: safeText(scheduleText(job.schedule), {maximumCharacters: 200}),
		state,
		...(nextActions.length > 0 && {nextActions}),
		nextRunAt: job.nextRunAt,
		lastRunAt: job.lastRunAt,
		lastStatus: job.lastStatus === undefined ? undefined : safeText(job.lastStatus, {maximumCharacters: 200}),
		deliver: safeText(targetNames(job.deliver), {maximumCharacters: 300}),
	};
}
