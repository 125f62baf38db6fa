import {listSkills} from '../../agent/skills.ts';
import {safeText} from '../../util/safe-text.ts';
import {type CommandContext, type ExitCode} from '../cli/command.ts';
import {printRows} from '../cli/listing.ts';
import {runCommand} from '../cli/run-command.ts';
import {noWords} from '../cli/words.ts';

/** `sluice skills list [--json]`: the skills below `folder`. One that cannot be loaded is reported on stderr, and the exit code is 1. */
export function runSkillsList(context: CommandContext, folder: string): Promise<ExitCode> {
	return runCommand(context, async () => {
		noWords(context, 'sluice skills list [--json]');
		const {skills, problems} = await listSkills(folder);
		const rows = skills.map(({name, description}) => ({name, description: safeText(description)}));
		await printRows(context, rows, {
			titles: ['SKILL', 'DESCRIPTION'],
			cells: ({name, description}) => [name, description],
			none: `There are no skills in ${safeText(folder)}. A skill is a folder with a SKILL.md.`,
		});
		for (const {message} of problems) {
			context.stderr(`sluice: ${message}\n`);
		}

		return problems.length === 0 ? 0 : 1;
	});
}
