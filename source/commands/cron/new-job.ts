import {type NewJobJson} from '../../control/wire.ts';
import {Problem} from '../../util/problem.ts';
import {type CommandFlags} from '../cli/command.ts';

/** The job that the flags ask for. Throws `bad_usage` without a schedule or a prompt; whether they are right is judged where the job is kept. */
export function newJob(name: string, flags: CommandFlags): NewJobJson {
	const {schedule, prompt, deliverChatId} = flags;
	if (schedule === undefined || prompt === undefined) {
		throw new Problem('bad_usage', {message: 'A job needs --schedule and --prompt, see sluice cron create --help'});
	}

	return {
		name,
		prompt,
		schedule,
		time_zone: flags.timeZone ?? Intl.DateTimeFormat().resolvedOptions().timeZone,
		deliver: flags.deliver ?? 'log',
		deliver_extra: deliverChatId === undefined ? {} : {chat_id: deliverChatId},
		skills: listOf(flags.skills) ?? [],
		toolsets: listOf(flags.toolsets),
	};
}

function listOf(csv: string | undefined): string[] | undefined {
	return csv
		?.split(',')
		.map(name => name.trim())
		.filter(name => name !== '');
}
