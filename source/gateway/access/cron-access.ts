import {type CronJobJson, type FiredJobJson, type JobEditJson, type NewJobJson} from '../../control/cron-wire.ts';
import {openConfiguredJournal} from '../journal/configured-journal.ts';
import {type JobChange} from '../../runs/manage-jobs.ts';
import {type CronJobState} from '../../state/work-event.ts';
import {type CronService, openCronService} from '../cron-service.ts';
import {loadOpenProfile} from '../profiles/open-profile.ts';
import {type RuntimeContext} from '../profiles/profile-context.ts';

/** Opens the jobs of a profile in this process, for one command; nothing runs. */
export async function openCronAccess(runtime: RuntimeContext) {
	const context = await loadOpenProfile(runtime);
	const journal = await openConfiguredJournal(context);
	const cron = openCronService(context, {journal, wakeRuns: () => undefined});
	const {list, create, edit, change} = cronMethods(cron);
	return {
		list,
		create: async (job: Parameters<typeof create>[0]) => create(job),
		edit: async (jobEdit: Parameters<typeof edit>[0]) => edit(jobEdit),
		change: async (jobChange: Parameters<typeof change>[0]) => change(jobChange),
		async close() {
			await cron.close();
			await journal.close();
		},
	};
}

/** The jobs as commands see them: the same through the socket and in a process of its own. */
export function cronMethods(cron: Pick<CronService, 'rows' | 'add' | 'edit' | 'change' | 'fire'>) {
	return {
		list: async (): Promise<CronJobJson[]> => (await cron.rows()).map(rowToJson),
		create: async ({time_zone: timeZone, deliver_extra: deliverExtra, ...job}: NewJobJson): Promise<CronJobJson> =>
			rowToJson(await cron.add({...job, timeZone, deliverExtra})),
		edit: async ({
			reference,
			edit: {time_zone: timeZone, deliver_extra: deliverExtra, ...edit},
		}: {
			readonly reference: string;
			readonly edit: JobEditJson;
		}): Promise<CronJobJson> => rowToJson(await cron.edit(reference, {...edit, timeZone, deliverExtra})),
		change: async ({
			reference,
			change,
		}: {
			readonly reference: string;
			readonly change: JobChange;
		}): Promise<CronJobJson> => rowToJson(await cron.change(reference, change)),
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
		kind: row.kind,
		schedule: row.schedule,
		next_run_at: row.nextRunAt ?? null,
		state: row.state,
		last_status: row.lastStatus ?? null,
		last_run_at: row.lastRunAt ?? null,
		deliver: row.deliver,
	};
}
