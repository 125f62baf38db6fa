import {type Command} from '../../state/command.ts';
import {type OrderTargets} from './order-targets.ts';
import {notBuiltYet} from './not-built-yet.ts';

type CronOrder = Extract<Command, {type: 'run-job' | 'set-job-paused'}>;

/** Orders about cron jobs. */
export async function cronOrder(command: CronOrder, _targets: OrderTargets): Promise<void> {
	switch (command.type) {
		case 'run-job':
		case 'set-job-paused':
			throw notBuiltYet(command);
	}
}
