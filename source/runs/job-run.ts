import {type RunRecord} from '../journal/journal.ts';
import {randomId} from '../util/random-id.ts';
import {type FiredBy, promptOf} from './cron-decision.ts';
import {type CronJob} from './cron-job.ts';

const nobody = {eventId: '', route: '', event: '', deliveryId: '', signature: undefined};

/** The run of a job, with the job's own delivery, skills and toolsets (docs/agents.md, Scheduled jobs). `now` is milliseconds since the epoch. */
export function jobRun(
	job: CronJob,
	by: FiredBy,
	{profile, now}: {readonly profile: string; readonly now: number},
): RunRecord {
	const prompt = promptOf(job, by);
	const {eventId, route, event, deliveryId, signature} = by.kind === 'webhook' ? by : nobody;
	return {
		id: randomId(),
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
		deliverExtra: job.deliverExtra,
		skills: job.skills,
		toolsets: job.toolsets,
		createdAt: now,
	};
}

/** The sender chose the name of the event; everything else a person wrote. */
function eventRange(prompt: string, {route, event}: Extract<FiredBy, {kind: 'webhook'}>): readonly [number, number] {
	const start = prompt.indexOf(event, prompt.indexOf(route) + route.length);
	return [start, start + event.length];
}
