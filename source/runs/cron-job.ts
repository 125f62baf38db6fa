import {z} from 'zod';
import {type Destination, destinationsOf, targetNames} from '../util/destinations.ts';
import {hashJson} from '../util/json-hash.ts';
import {isJsonObject, type JsonObject} from '../util/json-text.ts';
import {type CronSchedule} from './cron-schedule.ts';

/** One job of `cron/jobs.json` (docs/jobs.md, Scheduled jobs). Times are milliseconds since the epoch. */
export type CronJob = {
	/** Twelve hexadecimal digits. */
	readonly id: string;
	readonly name: string;
	readonly prompt: string;
	readonly schedule: CronSchedule;
	/** Where its answers go. */
	readonly deliver: readonly Destination[];
	/** Where a message about a failure goes. Absent: where its profile says. */
	readonly onFailure?: readonly Destination[];
	readonly skills: readonly string[];
	readonly toolsets?: readonly string[];
	readonly enabled: boolean;
	readonly paused: boolean;
	/** Absent: it is not due again by itself. */
	readonly nextRunAt?: number;
	readonly lastRunAt?: number;
	readonly lastStatus?: string;
};

const time = z.number().int().nonnegative();

const schedule = z.discriminatedUnion('kind', [
	z.object({kind: z.literal('cron'), expression: z.string(), time_zone: z.string()}),
	z.object({kind: z.literal('interval'), seconds: z.number().int().positive()}),
	z.object({kind: z.literal('once'), at: time}),
]);

const extraKeys = z.custom<JsonObject>(isJsonObject);

/** A list, or names separated by commas with keys that stand beside. */
const destinations = z.union([z.string(), z.array(z.object({target: z.string(), extra: extraKeys}))]);

const fileJob = z.object({
	id: z.string().regex(/^[0-9a-f]{12}$/u),
	name: z.string().min(1).max(200),
	prompt: z.string(),
	schedule,
	deliver: destinations,
	deliver_extra: extraKeys,
	on_failure: z.object({deliver: destinations, extra: extraKeys.optional()}).optional(),
	skills: z.array(z.string()),
	toolsets: z.array(z.string()).optional(),
	enabled: z.boolean(),
	paused: z.boolean(),
	next_run_at: time.optional(),
	last_run_at: time.optional(),
	last_status: z.string().optional(),
});

/** The stored form of a job. */
type FileJob = z.output<typeof fileJob>;

/** The schema of `cron/jobs.json`. */
export const cronJobsSchema = z.object({jobs: z.array(fileJob).max(1000)});

export type CronJobs = z.infer<typeof cronJobsSchema>;

/** The reason that a job must not run now; undefined when it may be claimed. The claim shows whether it is already running. */
export function dropReason(job: CronJob): string | undefined {
	if (!job.enabled) {
		return 'the job is disabled';
	}

	return job.paused ? 'the job is paused' : undefined;
}

/** Parses an entry of the file. */
export function jobOf(entry: FileJob): CronJob {
	return {
		id: entry.id,
		name: entry.name,
		prompt: entry.prompt,
		schedule:
			entry.schedule.kind === 'cron'
				? {kind: 'cron', expression: entry.schedule.expression, timeZone: entry.schedule.time_zone}
				: entry.schedule,
		deliver: readDestinations(entry.deliver, entry.deliver_extra),
		...(entry.on_failure && {onFailure: readDestinations(entry.on_failure.deliver, entry.on_failure.extra)}),
		skills: entry.skills,
		toolsets: entry.toolsets,
		enabled: entry.enabled,
		paused: entry.paused,
		nextRunAt: entry.next_run_at,
		lastRunAt: entry.last_run_at,
		lastStatus: entry.last_status,
	};
}

/** Converts a job to an entry of the file. */
export function entryOf(job: CronJob): FileJob {
	return {
		id: job.id,
		name: job.name,
		prompt: job.prompt,
		schedule:
			job.schedule.kind === 'cron'
				? {kind: 'cron', expression: job.schedule.expression, time_zone: job.schedule.timeZone}
				: job.schedule,
		...writtenDeliver(job.deliver),
		...(job.onFailure && {on_failure: writtenOnFailure(job.onFailure)}),
		skills: [...job.skills],
		...(job.toolsets && {toolsets: [...job.toolsets]}),
		enabled: job.enabled,
		paused: job.paused,
		...(job.nextRunAt !== undefined && {next_run_at: job.nextRunAt}),
		...(job.lastRunAt !== undefined && {last_run_at: job.lastRunAt}),
		...(job.lastStatus !== undefined && {last_status: job.lastStatus}),
	};
}

function readDestinations(written: FileJob['deliver'], extra: JsonObject = {}): readonly Destination[] {
	return typeof written === 'string' ? destinationsOf(written, extra) : written;
}

function writtenOnFailure(destinations: readonly Destination[]): FileJob['on_failure'] {
	const {deliver, deliver_extra: extra} = writtenDeliver(destinations);
	return {deliver, extra};
}

/** Targets with the same keys are written as one text, which earlier versions read where it is one name. */
function writtenDeliver(deliver: readonly Destination[]): Pick<FileJob, 'deliver' | 'deliver_extra'> {
	const [first] = deliver;
	const isShared = deliver.every(({extra}) => hashJson(extra) === hashJson(first?.extra ?? {}));
	return isShared
		? {deliver: targetNames(deliver), deliver_extra: first?.extra ?? {}}
		: {deliver: deliver.map(({target, extra}) => ({target, extra})), deliver_extra: {}};
}
