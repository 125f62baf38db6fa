import {type JsonObject} from '../../util/json-text.ts';

/** `cron list --json`, one row. Times are milliseconds since the epoch. */
export type CronJobJson = {
	readonly id: string;
	readonly name: string;
	/** Repetition: a cron expression, an interval, or once. */
	readonly kind: 'cron' | 'interval' | 'once';
	readonly schedule: string;
	readonly next_run_at: number | null;
	readonly state: 'scheduled' | 'running' | 'paused' | 'disabled' | 'finished';
	readonly last_status: string | null;
	readonly last_run_at: number | null;
	readonly deliver: string;
};

/** A job as `cron create` asks for it. */
export type NewJobJson = {
	readonly name: string;
	readonly prompt: string;
	readonly schedule: string;
	readonly time_zone: string;
	readonly deliver: string;
	readonly deliver_extra: JsonObject;
	readonly skills: readonly string[];
	readonly toolsets?: readonly string[];
};

/** Changes of `cron edit`; absent members stay as they are. */
export type JobEditJson = Partial<NewJobJson>;

/** Result of `cron run`. */
export type FiredJobJson = {
	readonly outcome: 'fired' | 'dropped';
	readonly run_id: string | null;
	readonly reason: string | null;
};
