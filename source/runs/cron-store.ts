import {type DocumentKind, type Documents} from '../config/values/stored-document.ts';
import {type Clock} from '../util/clock.ts';
import {Problem} from '../util/problem.ts';
import {safeText} from '../util/safe-text.ts';
import {type CronJob, type CronJobs, cronJobsSchema, entryOf, jobOf} from './cron-job.ts';

/** The jobs of a profile. Every call reads what is stored, because a person or another process may have written it. */
export type CronStore = {
	/** The place of the jobs, for messages. */
	readonly place: string;
	/** In their order. Throws a Problem when they cannot be read. */
	readonly list: () => readonly CronJob[];
	/** `check` is called with the jobs that this one is added to; nothing is written when it throws. */
	readonly add: (job: CronJob, check?: (jobs: readonly CronJob[]) => void) => Promise<void>;
	/** Changes the stored job. Resolves with the changed job, or undefined when it is gone. */
	readonly change: (id: string, change: (job: CronJob) => CronJob) => Promise<CronJob | undefined>;
	readonly remove: (id: string) => Promise<void>;
};

const maxJobs = 1000;

const cronDocument: DocumentKind<CronJobs> = {name: 'cron/jobs', schema: cronJobsSchema, fallback: {jobs: []}};

/** Creates the store of the jobs of a profile. */
export function createCronStore({open}: Documents, clock: Clock): CronStore {
	const store = open(cronDocument);
	const update = (change: (jobs: readonly CronJob[]) => readonly CronJob[]) =>
		store.update(file => ({jobs: change(file.jobs.map(jobOf)).map(entryOf)}), clock);
	return {
		place: store.place,
		list: () => store.read().jobs.map(jobOf),
		add: (job, check) =>
			update(jobs => {
				check?.(jobs);
				if (jobs.length >= maxJobs) {
					throw new Problem('cron_invalid', {
						message: `There are already ${maxJobs} jobs. Remove one with \`sluice cron remove NAME\``,
					});
				}

				return [...jobs, job];
			}),
		async change(id, change) {
			let changed: CronJob | undefined;
			await store.update(file => {
				const job = file.jobs.map(jobOf).find(other => other.id === id);
				changed = job && change(job);
				const entry = changed && entryOf(changed);
				return entry ? {jobs: file.jobs.map(other => (other.id === id ? entry : other))} : file;
			}, clock);
			return changed;
		},
		remove: id => update(jobs => jobs.filter(job => job.id !== id)),
	};
}

/** Finds a job by its exact id, else by its name in any case (docs/jobs.md, Scheduled jobs). Returns the Problem `unknown_job` when none or several match. */
export function findJob(jobs: readonly CronJob[], reference: string): CronJob | Problem {
	const byId = jobs.find(job => job.id === reference);
	const named = jobs.filter(job => job.name.toLowerCase() === reference.toLowerCase());
	const [first, ...others] = byId ? [byId] : named;
	const shown = JSON.stringify(safeText(reference, {maximumCharacters: 100}));
	if (!first) {
		return new Problem('unknown_job', {message: `No job has the id or name ${shown}`});
	}

	return others.length === 0
		? first
		: new Problem('unknown_job', {
				message: `Several jobs are named ${shown}. Use one of these ids: ${named.map(({id}) => id).join(', ')}`,
			});
}
