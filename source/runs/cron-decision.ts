import {type CronJob} from './cron-job.ts';

/** Who fires a job: the clock at its time, or somebody who does not wait for it. */
export type FiredBy =
	| {readonly kind: 'clock'; readonly slot: number}
	| {readonly kind: 'command'}
	| {readonly kind: 'dashboard'}
	| ({readonly kind: 'webhook'} & FiringEvent);

/** The event that asks for a job. */
type FiringEvent = {
	/** Its row in the journal. */
	readonly eventId: string;
	readonly route: string;
	readonly event: string;
	readonly deliveryId: string;
	/** What proved who sent it. */
	readonly signature?: string;
};

/** Why a job must not run now; undefined when it may try. Whether it is running already is the claim's to say. */
export function dropReason(job: CronJob): string | undefined {
	if (!job.enabled) {
		return 'the job is disabled';
	}

	return job.paused ? 'the job is paused' : undefined;
}

/** Who fired it, in a few words. */
export function firedByText(by: FiredBy): string {
	switch (by.kind) {
		case 'clock':
			return 'its schedule';
		case 'command':
			return 'the command line';
		case 'dashboard':
			return 'the dashboard';
		case 'webhook':
			return `the route ${by.route}, event ${by.event}`;
	}
}

/** The prompt of a run: one that a webhook fired begins with a line that says so (docs/agents.md, Scheduled jobs). */
export function promptOf(job: CronJob, by: FiredBy): string {
	return by.kind === 'webhook'
		? `[This job was fired by the webhook route ${by.route}, event ${by.event}.]\n${job.prompt}`
		: job.prompt;
}
