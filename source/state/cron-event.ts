/** One cron job as it stands now (docs/agents.md, Scheduled jobs). Times are milliseconds since the epoch. */
export type CronJobState = {
	readonly type: 'cron.job';
	readonly id: string;
	readonly name: string;
	/** The schedule in words: `0 9 * * 1 Europe/Berlin`, `every 5m`, `at 2026-12-01 09:00`. */
	readonly schedule: string;
	readonly state: 'scheduled' | 'running' | 'paused' | 'disabled' | 'finished';
	readonly nextRunAt?: number;
	readonly lastRunAt?: number;
	readonly lastStatus?: string;
	readonly deliver: string;
};

/** The life of cron jobs. `job` is the name. */
export type CronEvent =
	| CronJobState
	| {readonly type: 'cron.removed'; readonly id: string}
	| {readonly type: 'cron.fired'; readonly job: string; readonly by: string; readonly runId?: string}
	| {readonly type: 'cron.dropped'; readonly job: string; readonly by: string; readonly reason: string};
