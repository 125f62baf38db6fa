import {type jobFields} from '../entities/job.ts';
import {type JsonRow} from '../entities/json-kind.ts';
import {type JsonObject} from '../../util/json-text.ts';

/** `cron list --json`, one row. Times are milliseconds since the epoch. */
export type CronJobJson = JsonRow<typeof jobFields>;

/** A job as `cron create` asks for it. */
export type NewJobJson = {
	readonly name: string;
	readonly prompt: string;
	readonly schedule: string;
	readonly time_zone: string;
	readonly deliver: string;
	readonly deliver_extra: JsonObject;
	/** No target: as the profile says. */
	readonly on_failure?: {readonly deliver: string; readonly extra: JsonObject};
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
