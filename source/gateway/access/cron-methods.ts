import {type CronJobJson, type FiredJobJson, type NewJobJson} from '../../control/cron-wire.ts';
import {type JobChange} from '../../runs/manage-jobs.ts';
import {type CronJobState} from '../../state/work-event.ts';
import {type CronService} from '../cron-service.ts';

/** The jobs as commands see them: the same through the socket and in a process of its own. */
export function cronMethods(cron: Pick<CronService, 'rows' | 'add' | 'change' | 'fire'>) {
	return {
		list: (): CronJobJson[] => cron.rows().map(rowToJson),
		create: ({time_zone: timeZone, deliver_extra: deliverExtra, ...job}: NewJobJson): CronJobJson =>
			rowToJson(cron.add({...job, timeZone, deliverExtra})),
		change: ({reference, change}: {readonly reference: string; readonly change: JobChange}): CronJobJson =>
			rowToJson(cron.change(reference, change)),
		async run({reference}: {readonly reference: string}): Promise<FiredJobJson> {
			const result = await cron.fire(reference, {kind: 'command'});
			return result.kind === 'fired'
				? {outcome: 'fired', run_id: result.runId, reason: null}
				: {outcome: 'dropped', run_id: null, reason: result.reason};
		},
	};
}

function rowToJson(row: CronJobState): CronJobJson {
	return {
		id: row.id,
		name: row.name,
		schedule: row.schedule,
		next_run_at: row.nextRunAt ?? null,
		state: row.state,
		last_status: row.lastStatus ?? null,
		last_run_at: row.lastRunAt ?? null,
		deliver: row.deliver,
	};
}
