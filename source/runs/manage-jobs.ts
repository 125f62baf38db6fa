import {type JsonObject} from '../util/json-text.ts';
import {Problem} from '../util/problem.ts';
import {randomId} from '../util/random-id.ts';
import {type CronJob} from './cron-job.ts';
import {invalid, nextRunAt, parseSchedule} from './cron-schedule.ts';
import {type CronStore, findJob} from './cron-store.ts';

/** The input for a new job. */
export type NewJob = {
	readonly name: string;
	readonly prompt: string;
	/** A schedule for `parseSchedule`. */
	readonly schedule: string;
	/** An IANA name. */
	readonly timeZone: string;
	readonly deliver: string;
	readonly deliverExtra: JsonObject;
	readonly skills: readonly string[];
	readonly toolsets?: readonly string[];
};

/** The changes of jobs, besides running them. */
export type JobChange = 'pause' | 'resume' | 'remove';

/** Adds a job. Rejects with `cron_invalid`: a schedule without a future time, an unknown time zone, no prompt, or a name that is taken. */
export async function addJob(store: CronStore, asked: NewJob, now: number): Promise<CronJob> {
	const name = asked.name.trim();
	if (name === '' || name.length > 200 || asked.prompt.trim() === '') {
		throw new Problem('cron_invalid', {message: 'A job needs a name of at most 200 characters and a prompt'});
	}

	const assertFree = (jobs: readonly CronJob[]) => {
		if (!(findJob(jobs, name) instanceof Problem)) {
			throw new Problem('cron_invalid', {message: `There is already a job named ${JSON.stringify(name)}`});
		}
	};

	assertFree(store.list());
	assertTimeZone(asked.timeZone);
	const schedule = parseSchedule(asked.schedule, asked.timeZone);
	const next = nextRunAt(schedule, now);
	if (next === undefined) {
		throw invalid(asked.schedule, 'a time in the future');
	}

	const {prompt, deliver, deliverExtra, skills, toolsets} = asked;
	const plan = {schedule, deliver, deliverExtra, skills, toolsets};
	const job: CronJob = {id: randomId(), name, prompt, ...plan, enabled: true, paused: false, nextRunAt: next};
	await store.add(job, assertFree);
	return job;
}

/** Changes the job with this id or name and returns it. Rejects with `unknown_job`. A job that is resumed skips the runs it missed. */
export async function changeJob(
	store: CronStore,
	reference: string,
	{change, now}: {readonly change: JobChange; readonly now: number},
): Promise<CronJob> {
	const job = findJob(store.list(), reference);
	if (job instanceof Problem) {
		throw job;
	}

	switch (change) {
		case 'remove':
			await store.remove(job.id);
			return job;
		case 'pause':
			return (await store.change(job.id, current => ({...current, paused: true}))) ?? job;
		case 'resume':
			return (
				(await store.change(job.id, current => ({
					...current,
					paused: false,
					enabled: true,
					nextRunAt: nextRunAt(current.schedule, now),
				}))) ?? job
			);
	}
}

function assertTimeZone(name: string): void {
	try {
		new Intl.DateTimeFormat('en-US', {timeZone: name}).format(0);
	} catch {
		throw invalid(name, 'an IANA time zone such as Europe/Berlin');
	}
}
