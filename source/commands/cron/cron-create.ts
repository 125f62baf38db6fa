import {type CommandContext, type ExitCode} from '../cli/command.ts';
import {type OpenCron, withCronAccess} from './cron-access.ts';
import {jsonDocument, timeText} from '../cli/listing.ts';
import {newJob} from './new-job.ts';
import {oneWord} from '../cli/one-word.ts';
import {runCommand} from '../cli/run-command.ts';

/** `sluice cron create NAME --schedule TEXT --prompt TEXT`. */
export function runCronCreate(context: CommandContext, openCron: OpenCron): Promise<ExitCode> {
	return runCommand(context, () => {
		const asked = newJob(
			oneWord(context, 'Usage: sluice cron create NAME --schedule TEXT --prompt TEXT'),
			context.flags,
		);
		return withCronAccess(context, openCron, async jobs => {
			const job = await jobs.create(asked);
			context.stdout(
				context.flags.json
					? jsonDocument(job)
					: `ID        ${job.id}\nName      ${job.name}\nSchedule  ${job.schedule}\nNext      ${timeText(job.next_run_at)}\n`,
			);
			return 0 as const;
		});
	});
}
