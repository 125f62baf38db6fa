import {type Failures, noFailures} from '../../state/entities/delivery.ts';
import {jobEntity} from '../../state/entities/job.ts';
import {type FailedDeliveryRow, type JobRow, type Snapshot} from '../../state/snapshot.ts';
import {entityRow} from './entity-row.ts';
import {type ListRow, rememberRows} from './list-row.ts';

/** The rows of the scheduled jobs, each with the deliveries that fail for it. */
export function jobRows({
	jobs,
	failedDeliveries,
	gateway,
}: Pick<Snapshot, 'jobs' | 'failedDeliveries' | 'gateway'>): ListRow[] {
	return jobs.map(job => {
		const rows = failuresOfJob(job, failedDeliveries);
		return rows.length === 0 ? steadyRow(job) : jobRow(job, {rows, gateway, nameOf: ({target}) => `to ${target}`});
	});
}

/** The deliveries that fail for a job. */
export function failuresOfJob(job: JobRow, failed: readonly FailedDeliveryRow[]): readonly FailedDeliveryRow[] {
	return failed.filter(row => row.job === job.name && row.profile === job.profile);
}

/** A job whose deliveries arrive. */
const steadyRow = rememberRows((job: JobRow) => jobRow(job, noFailures));

function jobRow(job: JobRow, failing: Failures): ListRow {
	return entityRow(jobEntity, {...job, failing});
}
