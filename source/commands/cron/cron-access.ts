import {type ControlParams, type ControlResult} from '../../control/methods.ts';
import {type CommandContext} from '../cli/command.ts';
import {connectGateway} from '../cli/connect-gateway.ts';

/** The cron jobs, whichever process looks after them. */
export type CronAccess = {
	readonly list: () => Promise<ControlResult<'cron.list'>>;
	readonly create: (job: ControlParams<'cron.create'>) => Promise<ControlResult<'cron.create'>>;
	readonly change: (change: ControlParams<'cron.change'>) => Promise<ControlResult<'cron.change'>>;
	readonly close: () => Promise<void> | void;
};

/** Opens the jobs in this process. */
export type OpenCron = () => Promise<CronAccess>;

/** Gives `use` the jobs of the running gateway, or opens their file in this process when none runs (docs/configuration.md, State directory). */
export async function withCronAccess<Result>(
	context: CommandContext,
	openCron: OpenCron,
	use: (access: CronAccess) => Promise<Result>,
): Promise<Result> {
	const client = await connectGateway(context);
	const options = {signal: context.signal};
	const access: CronAccess = client
		? {
				list: () => client.call('cron.list', {}, options),
				create: job => client.call('cron.create', job, options),
				change: change => client.call('cron.change', change, options),
				close: client.close,
			}
		: await openCron();
	try {
		return await use(access);
	} finally {
		await access.close();
	}
}
