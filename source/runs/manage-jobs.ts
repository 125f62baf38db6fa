import {listFault, targetFault} from '../config/platforms/destinations.ts';
import {type Destination, destinationsOf} from '../util/destinations.ts';
import {type JsonObject} from '../util/json-text.ts';
import {Problem} from '../util/problem.ts';
import {safeText} from '../util/safe-text.ts';
import {randomId} from '../util/random-id.ts';
import {type CronJob} from './cron-job.ts';
import {type CronSchedule, invalid, nextRunAt, parseSchedule} from './cron-schedule.ts';
import {type CronStore, findJob} from './cron-store.ts';

/** The input for a new job. */
export type NewJob = {
	readonly name: string;
	readonly prompt: string;
	/** A schedule for `parseSchedule`. */
	readonly schedule: string;
	/** An IANA name. */
	readonly timeZone: string;
	/** Names of delivery targets, separated by commas. */
	readonly deliver: string;
	/** The keys that all of them get. */
	readonly deliverExtra: JsonObject;
	/** Names of delivery targets, separated by commas, and the keys of all; no name: as the profile says. */
	readonly onFailure?: {readonly deliver: string; readonly extra: JsonObject};
	readonly skills: readonly string[];
	readonly toolsets?: readonly string[];
};

/** The changes of jobs, besides running them. */
export type JobChange = 'pause' | 'resume' | 'remove';

/** The changes of a job; absent members stay as they are. An empty list of toolsets restores the usual ones. */
export type JobEdit = {readonly [Key in keyof NewJob]?: NewJob[Key] | undefined};

/** Adds a job. Rejects with `cron_invalid`: a schedule without a future time, an unknown time zone or delivery target, no prompt, or a name that is taken. */
export async function addJob(store: CronStore, asked: NewJob, now: number): Promise<CronJob> {
	const {name, prompt} = checkedTexts(asked);
	const deliver = checkedDestinations(destinationsOf(asked.deliver, asked.deliverExtra));
	const assertFree = (jobs: readonly CronJob[]) => assertFreeName(jobs, name);
	assertFree(store.list());
	const {skills, toolsets} = asked;
	const onFailure = failureDestinations(asked.onFailure);
	const plan = {...planOf(asked.schedule, asked.timeZone, now), deliver, onFailure, skills, toolsets};
	const job: CronJob = {id: randomId(), name, prompt, ...plan, enabled: true, paused: false};
	await store.add(job, assertFree);
	return job;
}

/** Changes what is given of the job with this id or name, and returns it. Rejects with `cron_invalid`, as `addJob` does, or `unknown_job`. */
export async function editJob(
	store: CronStore,
	reference: string,
	{edit, now}: {readonly edit: JobEdit; readonly now: number},
): Promise<CronJob> {
	const {id} = foundJob(store, reference);
	const edited = await store.change(id, job => {
		const {name, prompt} = checkedTexts({name: edit.name ?? job.name, prompt: edit.prompt ?? job.prompt});
		assertFreeName(
			store.list().filter(other => other.id !== id),
			name,
		);
		const toolsets = edit.toolsets ?? job.toolsets;
		return {
			...job,
			name,
			prompt,
			...editedPlan(job, edit, now),
			deliver: editedDestinations(job, edit),
			onFailure: edit.onFailure ? failureDestinations(edit.onFailure) : job.onFailure,
			skills: edit.skills ?? job.skills,
			toolsets: toolsets?.length === 0 ? undefined : toolsets,
		};
	});
	return edited ?? foundJob(store, id);
}

function failureDestinations(asked: NewJob['onFailure']): CronJob['onFailure'] {
	const destinations = asked ? destinationsOf(asked.deliver, asked.extra) : [];
	return destinations.length === 0 ? undefined : checkedDestinations(destinations);
}

/** The destinations after an edit: a target that is new has the keys of the first one, unless the edit names others. */
function editedDestinations({deliver}: CronJob, edit: Pick<JobEdit, 'deliver' | 'deliverExtra'>): CronJob['deliver'] {
	const named = edit.deliver === undefined ? deliver : destinationsOf(edit.deliver, deliver[0]?.extra ?? {});
	const kept = named.map(one => deliver.find(({target}) => target === one.target) ?? one);
	const extra = edit.deliverExtra;
	if (extra !== undefined) {
		return checkedDestinations(kept.map(({target}) => ({target, extra})));
	}

	return edit.deliver === undefined ? deliver : checkedDestinations(kept);
}

/** The schedule after an edit, with its next time; empty when neither it nor its time zone is changed. */
function editedPlan({schedule}: CronJob, {schedule: text, timeZone}: JobEdit, now: number): Partial<CronJob> {
	const zone = timeZone ?? (schedule.kind === 'cron' ? schedule.timeZone : hostTimeZone());
	if (text !== undefined) {
		return planOf(text, zone, now);
	}

	if (timeZone === undefined) {
		return {};
	}

	if (schedule.kind !== 'cron') {
		throw new Problem('cron_invalid', {message: 'Only a cron expression has a time zone. Pass the schedule too'});
	}

	return planOf(schedule.expression, zone, now);
}

/** A schedule with its next time. Throws `cron_invalid` when it has none. */
function planOf(text: string, timeZone: string, now: number): {schedule: CronSchedule; nextRunAt: number} {
	assertTimeZone(timeZone);
	const schedule = parseSchedule(text, timeZone, now);
	const next = nextRunAt(schedule, now);
	if (next === undefined) {
		throw invalid(text, 'a time in the future');
	}

	return {schedule, nextRunAt: next};
}

function hostTimeZone(): string {
	return Intl.DateTimeFormat().resolvedOptions().timeZone;
}

function checkedTexts({name: typed, prompt}: Pick<NewJob, 'name' | 'prompt'>): Pick<NewJob, 'name' | 'prompt'> {
	const name = typed.trim();
	if (name === '' || name.length > 200 || prompt.trim() === '') {
		throw new Problem('cron_invalid', {message: 'A job needs a prompt and a name of at most 200 characters'});
	}

	return {name, prompt};
}

function assertFreeName(jobs: readonly CronJob[], name: string): void {
	if (!(findJob(jobs, name) instanceof Problem)) {
		throw new Problem('cron_invalid', {message: `A job named ${JSON.stringify(name)} already exists`});
	}
}

function foundJob(store: Pick<CronStore, 'list'>, reference: string): CronJob {
	const job = findJob(store.list(), reference);
	if (job instanceof Problem) {
		throw job;
	}

	return job;
}

/** Changes the job with this id or name and returns it. Rejects with `unknown_job`. A job that is resumed skips the runs it missed. */
export async function changeJob(
	store: CronStore,
	reference: string,
	{change, now}: {readonly change: JobChange; readonly now: number},
): Promise<CronJob> {
	const job = foundJob(store, reference);
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

/** Throws `cron_invalid` for an unknown target, for one that is there twice, and when there is none. */
function checkedDestinations(destinations: readonly Destination[]): readonly Destination[] {
	const fault = listFault(destinations) ?? targetFault(destinations);
	if (fault !== undefined) {
		throw new Problem('cron_invalid', {message: fault});
	}

	return destinations;
}

function assertTimeZone(name: string): void {
	try {
		new Intl.DateTimeFormat('en-US', {timeZone: name}).format(0);
	} catch {
		const shown = safeText(name, {maximumCharacters: 100});
		throw new Problem('cron_invalid', {
			message: `"${shown}" is not a known time zone. Allowed: an IANA name such as Europe/Berlin`,
		});
	}
}
