import {listSkills} from '../../agent/skills.ts';
import {Problem} from '../../util/problem.ts';
import {safeText} from '../../util/safe-text.ts';
import {type CommandContext, type ExitCode} from '../cli/command.ts';
import {jsonDocument, textTable} from '../cli/listing.ts';
import {runCommand} from '../cli/run-command.ts';

/** `sluice skills list [--json]`: the skills below `folder`. One that cannot be loaded is told on stderr, and the exit code is 1. */
export function runSkillsList(context: CommandContext, folder: string): Promise<ExitCode> {
	return runCommand(context, async () => {
		if (context.arguments.length > 0) {
			throw new Problem('bad_usage', {message: 'Usage: sluice skills list [--json]'});
		}

		const {skills, problems} = await listSkills(folder);
		const rows = skills.map(({name, description}) => ({name, description: safeText(description)}));
		if (context.flags.json) {
			context.stdout(jsonDocument(rows));
		} else if (rows.length === 0) {
			context.stderr(`There is no skill in ${safeText(folder)}: each is a folder with a SKILL.md.\n`);
		} else {
			context.stdout(
				textTable(
					['SKILL', 'DESCRIPTION'],
					rows.map(({name, description}) => [name, description]),
				),
			);
		}

		for (const {message} of problems) {
			context.stderr(`sluice: ${message}\n`);
		}

		return problems.length === 0 ? 0 : 1;
	});
}
