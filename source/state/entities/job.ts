import {type GatewayEvent} from '../event.ts';
import {type JobRow} from '../snapshot.ts';
import {because, nextText} from '../status-line.ts';
import {dateAndTime, dayAndTime} from '../time-text.ts';
import {
	type Failing,
	failingState,
	failingStatus,
	failingStatusLine,
	failureNotes,
	failuresNote,
	isFailing,
} from './delivery.ts';
import {type At, type Entity, type Fields, glyphColumn, nextActionText, wordColumn} from './entity.ts';
import {jobText} from './status-text.ts';
import {tableOf} from './table.ts';

/** The properties of a scheduled job. */
export const jobFields = {
	id: {json: 'text', text: ({id}) => id},
	name: {json: 'text', filter: 'job', label: 'job', text: ({name}) => name},
	/** Repetition: a cron expression, an interval, or once. */
	kind: {json: ['cron', 'interval', 'once']},
	schedule: {json: 'text', text: ({schedule}) => schedule},
	next_run_at: {json: 'time?', title: 'NEXT', label: 'next run', detail: ({nextRunAt}, at) => near(nextRunAt, at)},
	state: {
		json: ['scheduled', 'running', 'paused', 'disabled', 'finished'],
		text: job => failingState(job.state, job),
	},
	last_status: {
		json: 'text?',
		title: 'LAST',
		filter: 'last',
		label: 'last end',
		text: ({lastStatus}) => lastStatus ?? '',
	},
	last_run_at: {json: 'time?', label: 'last run', detail: ({lastRunAt}, at) => near(lastRunAt, at)},
	deliver: {json: 'text', text: ({deliver}) => deliver},
	targets: {json: 'texts'},
	reason: {text: failuresNote},
	next: {detail: (job, {keys}) => nextActionText(job, keys)},
	profile: {text: ({profile}) => profile},
} as const satisfies Fields<Failing<JobRow>>;

const own = ({state}: JobRow) => jobText[state];
const status = failingStatus(own);

/** A scheduled job with the deliveries that fail for it. */
export const jobEntity: Entity<Failing<JobRow>, keyof typeof jobFields> = {
	fields: jobFields,
	id: jobId,
	copy: ({id}) => id,
	status,
	statusLine: failingStatusLine(own),
	filter: ['name', 'state', 'schedule', 'deliver', 'last_status', 'reason', 'id', 'profile'],
	notes: failureNotes,
	details: ['next', 'name', 'schedule', 'next_run_at', 'last_run_at', 'last_status', 'deliver', 'id', 'profile'],
	columns: [
		glyphColumn(status),
		{narrow: 15, wide: [19, 0.1], tone: 'strong', text: ({name}) => name},
		wordColumn(status, {wide: 11}),
		{wide: 23, text: ({schedule}) => schedule},
		{wide: 18, tone: 'dim', text: nextRunText},
		{
			narrow: 'rest',
			tone: job => (isFailing(job) ? status(job).tone : 'normal'),
			text: (job, at) => (isFailing(job) ? '' : nextRunText(job, at)) || status(job).word,
		},
		{
			wide: 'rest',
			tone: job => (isFailing(job) ? status(job).tone : 'dim'),
			text: job => failuresNote(job) || (job.lastStatus ? `last ${job.lastStatus}` : ''),
		},
	],
	values: ({name, nextRunAt, lastRunAt}) => ({
		name,
		// The soonest first.
		next: nextRunAt === undefined ? undefined : -nextRunAt,
		last: lastRunAt,
	}),
};

/** `sluice cron list`. */
export const jobTable = tableOf(jobFields, [
	'id',
	'name',
	'schedule',
	{title: 'NEXT', cell: ({next_run_at: next}) => (next === null ? '-' : dateAndTime(next))},
	'state',
	{title: 'LAST', cell: ({last_status: last}) => last ?? '-'},
]);

/** Jobs of two profiles may share an id. */
export function jobId(job: {readonly profile: string; readonly id: string}): string {
	return `${job.profile}/${job.id}`;
}

/** A change of a job as a line of the log. */
export function jobLogText(
	event: Extract<GatewayEvent, {type: 'cron.job' | 'cron.removed' | 'cron.fired' | 'cron.dropped'}>,
	home: string | undefined,
): string {
	switch (event.type) {
		case 'cron.job':
			return `${event.name} ${event.state}${event.lastStatus ? `, last ${event.lastStatus}` : ''}${nextText(event, home)}`;
		case 'cron.removed':
			return `${event.id} removed`;
		case 'cron.fired':
			return `${event.job} fired by ${event.by}`;
		case 'cron.dropped':
			return `${event.job} did not run, fired by ${event.by}${because(event.reason)}`;
	}
}

function nextRunText({nextRunAt}: JobRow, at: At): string {
	return nextRunAt === undefined ? '' : `next ${near(nextRunAt, at)}`;
}

function near(time: number | undefined, {now}: At): string {
	return time === undefined ? '' : dayAndTime(time, now);
}
