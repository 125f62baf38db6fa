import {type Command} from '../../state/command.ts';
import {type CommandTargets} from './command-targets.ts';

type CronCommand = Extract<Command, {type: 'run-job' | 'set-job-paused'}>;

/** Orders about cron jobs. */
export async function handleCronCommand(command: CronCommand, {cron}: CommandTargets): Promise<void> {
	switch (command.type) {
		case 'run-job':
			// Why it was dropped is an event of its own.
			await cron.fire(command.id, {kind: 'dashboard'});
			return;
		case 'set-job-paused':
			cron.change(command.id, command.paused ? 'pause' : 'resume');
	}
}
