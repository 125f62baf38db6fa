import {type RunRecord} from '../journal/journal.ts';
import {randomId} from '../util/random-id.ts';
import {type FiredBy, promptOf} from './cron-decision.ts';
import {type CronJob} from './cron-job.ts';

/** The run of a job, with the job's own delivery, skills and toolsets (spec/decisions.md, D9). `now` is milliseconds since the epoch. */
export function jobRun(
	job: CronJob,
	by: FiredBy,
	{profile, now}: {readonly profile: string; readonly now: number},
): RunRecord {
	const source = by.kind === 'webhook' ? by : {route: '', event: '', deliveryId: ''};
	return {
		id: randomId(),
		eventId: '',
		profile,
		route: source.route,
		event: source.event,
		deliveryId: source.deliveryId,
		job: job.name,
		prompt: promptOf(job, by),
		deliver: job.deliver,
		deliverExtra: job.deliverExtra,
		skills: job.skills,
		toolsets: job.toolsets,
		createdAt: now,
	};
}
