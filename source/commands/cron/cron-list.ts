import {type CronJobJson} from '../../control/wire.ts';
import {safeText} from '../../util/safe-text.ts';
import {type CommandContext, type ExitCode} from '../cli/command.ts';
import {type OpenCron, withCronAccess} from './cron-access.ts';
import {jsonDocument, textTable, timeText} from '../cli/listing.ts';
import {runCommand} from '../cli/run-command.ts';

/** `sluice cron list`: when each job comes due and how it ended last. */
export function runCronList(context: CommandContext, openCron: OpenCron): Promise<ExitCode> {
	return runCommand(context, () =>
		withCronAccess(context, openCron, async jobs => {
			const found = await jobs.list();
			if (context.flags.json) {
				context.stdout(jsonDocument(found));
			} else if (found.length === 0) {
				context.stderr('There are no cron jobs. `sluice cron create NAME --schedule … --prompt …` makes one.\n');
			} else {
				const header = ['ID', 'NAME', 'SCHEDULE', 'NEXT', 'STATE', 'LAST'];
				context.stdout(textTable(header, found.map(cellsOf)));
			}

			return 0 as const;
		}),
	);
}

function cellsOf(job: CronJobJson): string[] {
	return [
		job.id,
		safeText(job.name),
		safeText(job.schedule),
		timeText(job.next_run_at),
		job.state,
		job.last_status === null ? '-' : safeText(job.last_status),
	];
}
