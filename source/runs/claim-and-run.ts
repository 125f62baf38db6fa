import {type Journal} from '../journal/journal.ts';
import {type Clock} from '../util/clock.ts';
import {nextRunAt} from './cron-clock.ts';
import {type FiredBy} from './cron-decision.ts';
import {type CronJob} from './cron-job.ts';
import {type CronStore} from './cron-store.ts';
import {type JobStatus} from './job-status.ts';
import {jobRun} from './job-run.ts';

/** What a firing came to: a queued run, or the reason why there is none. */
export type FireResult =
	| {readonly kind: 'fired'; readonly runId: string}
	| {readonly kind: 'dropped'; readonly reason: string};

/** What claiming needs. */
export type ClaimOptions = {
	readonly store: Pick<CronStore, 'change'>;
	readonly journal: Pick<Journal, 'claimJob'>;
	readonly clock: Clock;
	readonly profile: string;
	readonly jobStatus: JobStatus;
};

/** Claims a job and queues its run. The next time is in the file and the claim in the journal before the run can start (docs/agents.md, Scheduled jobs). */
export async function claimAndRun(job: CronJob, by: FiredBy, options: ClaimOptions): Promise<FireResult> {
	const {store, journal, clock, profile, jobStatus} = options;
	const now = clock.now();
	const run = jobRun(job, by, {profile, now});
	if (by.kind === 'clock') {
		store.change(job.id, current => ({...current, nextRunAt: nextRunAt(current.schedule, now)}));
	}

	// Noted before: the run may be over before the claim is answered here.
	jobStatus.begin(run.id, job.id);
	const slot = by.kind === 'clock' ? by.slot : now;
	const outcome = await journal.claimJob({jobId: job.id, slot, runId: run.id}, run).catch((caught: unknown) => {
		jobStatus.end(run.id);
		throw caught;
	});
	if (outcome !== 'claimed') {
		jobStatus.end(run.id);
		const reason = outcome === 'running' ? 'it is running already' : 'it was run for this time already';
		return {kind: 'dropped', reason};
	}

	const changed = store.change(job.id, current => ({...current, lastRunAt: now, lastStatus: 'running'}));
	if (changed) {
		jobStatus.showJob(changed);
	}

	return {kind: 'fired', runId: run.id};
}
