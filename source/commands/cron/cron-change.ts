import {type CronJobJson} from '../../control/wire.ts';
import {type CommandContext, type ExitCode} from '../cli/command.ts';
import {type OpenCron, withCronAccess} from './cron-access.ts';
import {jsonDocument, timeText} from '../cli/listing.ts';
import {oneWord} from '../cli/one-word.ts';
import {runCommand} from '../cli/run-command.ts';

/** `sluice cron pause|resume|remove JOB`: by id or name. */
export function runCronChange(
	context: CommandContext,
	change: 'pause' | 'resume' | 'remove',
	openCron: OpenCron,
): Promise<ExitCode> {
	return runCommand(context, () => {
		const reference = oneWord(context, `Usage: sluice cron ${change} JOB`);
		return withCronAccess(context, openCron, async jobs => {
			const job = await jobs.change({reference, change});
			if (context.flags.json) {
				context.stdout(jsonDocument(job));
			} else {
				context.stderr(`${job.name} (${job.id}) ${doneText(change, job)}\n`);
			}

			return 0 as const;
		});
	});
}

function doneText(change: 'pause' | 'resume' | 'remove', job: CronJobJson): string {
	switch (change) {
		case 'pause':
			return 'is paused.';
		case 'resume':
			return `runs again: ${timeText(job.next_run_at)}.`;
		case 'remove':
			return 'is removed.';
	}
}
