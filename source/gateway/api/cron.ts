import {type GatewayHandlers} from '../../control/methods.ts';
import {rowToJson} from '../../control/entity-json.ts';
import {jobFields} from '../../state/entities/job.ts';
import {type CronJobJson} from '../../state/json/cron.ts';
import {type CronJobState} from '../../state/work-event.ts';
import {type CronService} from '../services/cron-service.ts';
import {type Caller} from './handler-context.ts';

type CronHandlers = Pick<GatewayHandlers, 'cron.list' | 'cron.create' | 'cron.edit' | 'cron.change' | 'cron.run'>;

/** The scheduled jobs: the same through the socket and in a process of its own. */
export function cronMethods(
	cron: Pick<CronService, 'rows' | 'add' | 'edit' | 'change' | 'fire'>,
	caller: Pick<Caller, 'kind'>,
): CronHandlers {
	return {
		'cron.list': async () => (await cron.rows()).map(jobToJson),
		'cron.create': async ({time_zone: timeZone, deliver_extra: deliverExtra, on_failure: onFailure, ...job}) =>
			jobToJson(await cron.add({...job, timeZone, deliverExtra, onFailure})),
		async 'cron.edit'({reference, edit}) {
			const {time_zone: timeZone, deliver_extra: deliverExtra, on_failure: onFailure, ...others} = edit;
			return jobToJson(await cron.edit(reference, {...others, timeZone, deliverExtra, onFailure}));
		},
		'cron.change': async ({reference, change}) => jobToJson(await cron.change(reference, change)),
		async 'cron.run'({reference}) {
			const result = await cron.fire(reference, {kind: caller.kind === 'console' ? 'dashboard' : 'command'});
			return result.kind === 'fired'
				? {outcome: 'fired', run_id: result.runId, reason: null}
				: {outcome: 'dropped', run_id: null, reason: result.reason};
		},
	};
}

function jobToJson(row: CronJobState): CronJobJson {
	return rowToJson(jobFields, row, {targets: row.deliver.split(',').filter(name => name !== '')});
}
