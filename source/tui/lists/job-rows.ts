import {type FailedDeliveryRow, type JobRow, type Snapshot} from '../../state/snapshot.ts';
import {wideCells} from './columns.ts';
import {type Failures, failuresDetail, failuresNote, failuresStatus, noFailures} from './failed-delivery-lines.ts';
import {type KeyNames, labelled, type ListRow, nextActionText, rememberRows} from './list-row.ts';
import {dayAndTime} from '../text/duration-text.ts';
import {cell, type Line, span} from '../text/span.ts';
import {failingText, jobText} from '../../state/entities/status-text.ts';
import {stateValue} from './sorting.ts';

/** The rows of the scheduled jobs, each with the deliveries that fail for it. */
export function jobRows({
	jobs,
	failedDeliveries,
	gateway,
}: Pick<Snapshot, 'jobs' | 'failedDeliveries' | 'gateway'>): ListRow[] {
	return jobs.map(job => {
		const rows = failuresOfJob(job, failedDeliveries);
		return rows.length === 0 ? steadyRow(job) : jobRow(job, {rows, gateway});
	});
}

/** The deliveries that fail for a job. */
export function failuresOfJob(job: JobRow, failed: readonly FailedDeliveryRow[]): readonly FailedDeliveryRow[] {
	return failed.filter(row => row.job === job.name && row.profile === job.profile);
}

/** A job whose deliveries arrive. */
const steadyRow = rememberRows((job: JobRow) => jobRow(job, noFailures));

function jobRow(job: JobRow, {rows, gateway}: Omit<Failures, 'nameOf'>): ListRow {
	const failures: Failures = {rows, gateway, nameOf: ({target}) => `to ${target}`};
	return {
		id: jobId(job),
		copy: job.id,
		fields: () => ({
			job: job.name,
			state: rows.length === 0 ? job.state : `${job.state} ${failingText.word}`,
			schedule: job.schedule,
			deliver: job.deliver,
			last: job.lastStatus ?? '',
			reason: failuresNote(failures),
			id: job.id,
			profile: job.profile,
		}),
		values: () => ({
			name: job.name,
			state: stateValue(rows.length === 0 ? jobText[job.state] : failingText),
			// The soonest first.
			next: job.nextRunAt === undefined ? undefined : -job.nextRunAt,
			last: job.lastRunAt,
		}),
		line: (width, now) => jobLine(job, failures, {width, now}),
		detail: (width, now, keys) => jobDetail(job, failures, {width, now, keys}),
	};
}

type At = {readonly width: number; readonly now: number};

/** Jobs of two profiles may share an id. */
export function jobId(job: {readonly profile: string; readonly id: string}): string {
	return `${job.profile}/${job.id}`;
}

function jobLine(job: JobRow, failures: Failures, {width, now}: At): Line {
	const trouble = failuresNote(failures);
	const {glyph, word, tone} = trouble === '' ? jobText[job.state] : failingText;
	const next = job.nextRunAt === undefined ? '' : `next ${dayAndTime(job.nextRunAt, now)}`;
	return width < 60
		? [span(`${glyph} `, tone), cell(job.name, 15, 'strong'), trouble === '' ? span(next || word) : span(word, tone)]
		: [
				span(`${glyph} `, tone),
				cell(job.name, wideCells(19, 0.1, width), 'strong'),
				cell(word, 11, tone),
				cell(job.schedule, 23),
				cell(next, 18, 'dim'),
				trouble === '' ? span(job.lastStatus ? `last ${job.lastStatus}` : '', 'dim') : span(trouble, tone),
			];
}

function jobDetail(job: JobRow, failures: Failures, {width, now, keys}: At & {readonly keys: KeyNames}): Line[] {
	const at = (time: number | undefined) => (time === undefined ? '' : dayAndTime(time, now));
	return [
		failuresStatus(jobText[job.state], failures),
		...failuresDetail(failures, width, keys),
		...labelled('next', nextActionText(job, keys), width),
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
