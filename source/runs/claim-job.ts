import {type ClaimOutcome, type Journal, type RunRecord} from '../journal/journal.ts';
import {type Clock} from '../util/clock.ts';
import {Problem, toProblem} from '../util/problem.ts';
import {orderedId} from '../util/random-id.ts';
import {type CronJob} from './cron-job.ts';
import {nextRunAt} from './cron-schedule.ts';
import {type CronStore} from './cron-store.ts';
import {type DueTimes} from './due-times.ts';
import {type JobStatus} from './job-status.ts';
import {claimed} from '../util/safe-text.ts';

/** The trigger of a job: the clock at its time, or a person at any time. */
export type FiredBy =
	| {readonly kind: 'clock'; readonly slot: number}
	| {readonly kind: 'command'}
	| {readonly kind: 'dashboard'}
	| ({readonly kind: 'webhook'} & FiringEvent);

/** The event that fires a job. */
type FiringEvent = {
	/** Its row in the journal. */
	readonly eventId: string;
	readonly route: string;
	readonly event: string;
	readonly deliveryId: string;
	/** The authentication of the sender. */
	readonly signature?: string;
};

/**
The result of firing a job: a queued run, or why there is none. `released`: another gateway has released the delivery id of the event, whose retry fires
the job. `unavailable`: what has to be on disk before could not be written; a time of the job that is due stays so.
*/
export type FireResult =
	| {readonly kind: 'fired'; readonly runId: string}
	| {readonly kind: 'dropped' | 'released' | 'unavailable'; readonly reason: string};

/** The result of claiming a job. `late`: its time has come, and another gateway has fired it for that time. */
export type ClaimResult = FireResult | {readonly kind: 'late'; readonly reason: string};

export type ClaimOptions = {
	readonly store: Pick<CronStore, 'change'>;
	readonly journal: Pick<Journal, 'claimJob'>;
	readonly clock: Clock;
	readonly profile: string;
	readonly jobStatus: JobStatus;
	readonly dueTimes: Pick<DueTimes, 'restore'>;
};

const claimReasons: {readonly [Outcome in Exclude<ClaimOutcome, 'claimed'>]: string} = {
	running: 'it is already running',
	late: 'it has already run for this time',
	released: 'another gateway has released the delivery id of the event',
};

/** Claims a job and queues its run. The next time is in the file and the claim in the journal before the run can start (docs/jobs.md, Scheduled jobs). */
export async function claimJob(job: CronJob, by: FiredBy, options: ClaimOptions): Promise<ClaimResult> {
	const {store, journal, clock, profile, jobStatus, dueTimes} = options;
	const now = clock.now();
	const run = jobRun(job, by, {profile, now});
	const advanced =
		by.kind === 'clock' &&
		(await store.change(job.id, current => ({...current, nextRunAt: nextRunAt(current.schedule, now)})));

	// Before the claim, because the run may be over before the claim resolves.
	jobStatus.begin(run.id, job.id);
	const slot = by.kind === 'clock' ? by.slot : now;
	const outcome = await journal
		.claimJob({jobId: job.id, slot, runId: run.id}, run)
		.catch((caught: unknown) => toProblem(caught));
	if (outcome === 'claimed') {
		return {kind: 'fired', runId: run.id};
	}

	jobStatus.end(run.id);
	if (outcome instanceof Problem) {
		await (by.kind === 'clock' && advanced && dueTimes.restore(advanced, by.slot));
		return {kind: 'unavailable', reason: outcome.message};
	}

	const reason = claimReasons[outcome];
	if (outcome === 'late' && by.kind === 'clock') {
		return {kind: 'late', reason};
	}

	return {kind: outcome === 'released' ? 'released' : 'dropped', reason};
}

const nobody = {eventId: '', route: '', event: '', deliveryId: '', signature: undefined};

/** The run of a job, with the job's own delivery, skills and toolsets (docs/jobs.md, Scheduled jobs). `now` is milliseconds since the epoch. */
function jobRun(
	job: CronJob,
	by: FiredBy,
	{profile, now}: {readonly profile: string; readonly now: number},
): RunRecord {
	const prompt = promptOf(job, by);
	const {eventId, route, event, deliveryId, signature} = by.kind === 'webhook' ? by : nobody;
	return {
		id: orderedId(now),
		eventId,
		profile,
		route,
		event,
		deliveryId,
		signature,
		job: job.name,
		prompt,
		...(by.kind === 'webhook' && {foreign: [eventRange(prompt, by)]}),
		deliver: job.deliver,
		...(job.onFailure && {onFailure: job.onFailure}),
		skills: job.skills,
		toolsets: job.toolsets,
		createdAt: now,
	};
}

/** The prompt of a run; if a webhook fired it, it begins with a line that says so (docs/jobs.md, Scheduled jobs). */
function promptOf(job: CronJob, by: FiredBy): string {
	return by.kind === 'webhook'
		? `[This job was fired by the webhook route ${by.route}, event ${by.event}.]\n${job.prompt}`
		: job.prompt;
}

/** The sender chose the event name; a person wrote everything else. */
function eventRange(prompt: string, {route, event}: Extract<FiredBy, {kind: 'webhook'}>): readonly [number, number] {
	const start = prompt.indexOf(event, prompt.indexOf(route) + route.length);
	return [start, start + event.length];
}

/** The trigger of a job, in a few words. */
export function firedByText(by: FiredBy): string {
	switch (by.kind) {
		case 'clock':
			return 'its schedule';
		case 'command':
			return 'the command line';
		case 'dashboard':
			return 'the dashboard';
		case 'webhook':
			return `the route ${by.route}, ${claimed('event', by.event)}`;
	}
}
