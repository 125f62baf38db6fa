import {type JobRow} from '../../state/snapshot.ts';
import {labelled, labelledStatus, type ListRow, rememberRows} from './list-row.ts';
import {dayAndTime} from '../text/duration-text.ts';
import {cell, type Line, span} from '../text/span.ts';
import {jobText} from '../text/status-text.ts';

/** The row of a scheduled job. */
export const jobListRow = rememberRows(
	(job: JobRow): ListRow => ({
		id: jobId(job),
		copy: job.id,
		fields: () => ({
			job: job.name,
			state: job.state,
			schedule: job.schedule,
			deliver: job.deliver,
			last: job.lastStatus ?? '',
			id: job.id,
			profile: job.profile,
		}),
		line: (width, now) => jobLine(job, width, now),
		detail: (width, now) => jobDetail(job, width, now),
	}),
);

/** Jobs of two profiles may share an id. */
export function jobId(job: {readonly profile: string; readonly id: string}): string {
	return `${job.profile}/${job.id}`;
}

function jobLine(job: JobRow, width: number, now: number): Line {
	const {glyph, word, tone} = jobText[job.state];
	const next = job.nextRunAt === undefined ? '' : `next ${dayAndTime(job.nextRunAt, now)}`;
	return width < 60
		? [span(`${glyph} `, tone), cell(job.name, 15, 'strong'), span(next || word)]
		: [
				span(`${glyph} `, tone),
				cell(job.name, 19, 'strong'),
				cell(word, 11, tone),
				cell(job.schedule, 23),
				cell(next, 18, 'dim'),
				span(job.lastStatus ? `last ${job.lastStatus}` : '', 'dim'),
			];
}

function jobDetail(job: JobRow, width: number, now: number): Line[] {
	const at = (time: number | undefined) => (time === undefined ? '' : dayAndTime(time, now));
	return [
		labelledStatus('state', jobText[job.state]),
		...labelled('job', job.name, width),
		...labelled('schedule', job.schedule, width),
		...labelled('next run', at(job.nextRunAt), width),
		...labelled('last run', at(job.lastRunAt), width),
		...labelled('last end', job.lastStatus, width),
		...labelled('deliver', job.deliver, width),
		...labelled('id', job.id, width),
		...labelled('profile', job.profile, width),
	];
}
