import {type Command} from '../../state/command.ts';
import {type OrderTargets} from './order-targets.ts';

type CronOrder = Extract<Command, {type: 'run-job' | 'set-job-paused'}>;

/** Orders about cron jobs. */
export async function cronOrder(command: CronOrder, {cron}: OrderTargets): Promise<void> {
	switch (command.type) {
		case 'run-job':
			// Why it was dropped is an event of its own.
			await cron.fire(command.id, {kind: 'dashboard'});
			return;
		case 'set-job-paused':
			cron.change(command.id, command.paused ? 'pause' : 'resume');
	}
}
