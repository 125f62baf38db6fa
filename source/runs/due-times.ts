import {dropReason, type CronJob} from './cron-job.ts';
import {type CronStore} from './cron-store.ts';

/** When jobs are due: at the time that is stored, or at an earlier one that was missed and could not be stored again. */
export type DueTimes = {
	/** Milliseconds since the epoch; undefined: the job does not run by itself. */
	readonly of: (job: CronJob) => number | undefined;
	/** Makes a job due again at a time that could not be claimed. `advanced` is the job as stored with its next time. Never rejects. */
	readonly restore: (advanced: CronJob, slot: number) => Promise<void>;
	/** The job was tried at its time, and is not due before the stored one. */
	readonly forget: (jobId: string) => void;
};

/** Creates them; none is missed yet. */
export function createDueTimes(store: Pick<CronStore, 'change'>): DueTimes {
	/** By job ids, with the stored time that each replaces. Missed times are lost with this process. */
	const missed = new Map<string, {readonly slot: number; readonly stored: number | undefined}>();
	return {
		of(job) {
			const runsByItself = dropReason(job) === undefined;
			// A person may have changed the schedule meanwhile, and a resumed job skips what it missed.
			if (!runsByItself || missed.get(job.id)?.stored !== job.nextRunAt) {
				missed.delete(job.id);
			}

			return runsByItself ? (missed.get(job.id)?.slot ?? job.nextRunAt) : undefined;
		},
		async restore({id, nextRunAt: stored}, slot) {
			try {
				await store.change(id, job => (job.nextRunAt === stored ? {...job, nextRunAt: slot} : job));
				missed.delete(id);
			} catch {
				missed.set(id, {slot, stored});
			}
		},
		forget: jobId => void missed.delete(jobId),
	};
}
