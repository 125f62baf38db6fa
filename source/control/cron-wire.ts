import {z} from 'zod';
import {jsonObject} from './wire.ts';

/** `cron list --json`, one row. Times are milliseconds since the epoch. */
export const cronJobJson = z.object({
	id: z.string(),
	name: z.string(),
	/** Repetition: a cron expression, an interval, or once. */
	kind: z.enum(['cron', 'interval', 'once']),
	schedule: z.string(),
	next_run_at: z.number().nullable(),
	state: z.enum(['scheduled', 'running', 'paused', 'disabled', 'finished']),
	last_status: z.string().nullable(),
	last_run_at: z.number().nullable(),
	deliver: z.string(),
});

/** A job as `cron create` asks for it. */
export const newJobJson = z.object({
	name: z.string(),
	prompt: z.string(),
	schedule: z.string(),
	time_zone: z.string(),
	deliver: z.string(),
	deliver_extra: jsonObject,
	skills: z.array(z.string()),
	toolsets: z.array(z.string()).optional(),
});

/** Changes of `cron edit`; absent members stay as they are. */
export const jobEditJson = newJobJson.partial();

/** Result of `cron run`. */
export const firedJobJson = z.object({
	outcome: z.enum(['fired', 'dropped']),
	run_id: z.string().nullable(),
	reason: z.string().nullable(),
});
