import {readdir} from 'node:fs/promises';
import {join} from 'node:path';
import {readTextFile} from '../config/values/text-file.ts';
import {isOutOfFiles, tooManyOpenFiles} from '../util/open-files.ts';
import {Problem, toProblem} from '../util/problem.ts';
import {parseSkill, type Skill, unusable} from './skill.ts';

/** Skills that could be read, and why others could not. */
export type SkillReading = {readonly skills: readonly Skill[]; readonly problems: readonly Problem[]};

const mostSkills = 500;

/** Every skill of the folder `directory` by name. A folder that is not there has none. Rejects as `loadSkills` does. */
export async function listSkills(directory: string): Promise<SkillReading> {
	const entries = await readdir(directory, {withFileTypes: true}).catch(() => []);
	const names = entries.filter(entry => entry.isDirectory() || entry.isSymbolicLink()).map(entry => entry.name);
	return loadSkills(directory, names.filter(isSkillName).sort().slice(0, mostSkills));
}

/** The skills of these names, in their order, each once; all of them are loaded (docs/agents.md, Runs). Rejects only with `too_many_open_files`. */
export async function loadSkills(directory: string, names: readonly string[]): Promise<SkillReading> {
	const readings = await Promise.all([...new Set(names)].map(name => loadSkill(directory, name)));
	return {
		skills: readings.flatMap(reading => (reading instanceof Problem ? [] : [reading])),
		problems: readings.flatMap(reading => (reading instanceof Problem ? [reading] : [])),
	};
}

async function loadSkill(directory: string, name: string): Promise<Skill | Problem> {
	if (!isSkillName(name)) {
		return unusable(name, 'a skill is called like its folder: letters, digits, - and _');
	}

	const path = join(directory, name, 'SKILL.md');
	try {
		const text = await readTextFile(path);
		return text === undefined ? unusable(name, `there is no skills/${name}/SKILL.md`) : parseSkill(name, path, text);
	} catch (caught) {
		// The skill may be as good as ever: nobody should work without it.
		if (isOutOfFiles(caught)) {
			throw tooManyOpenFiles(caught);
		}

		const problem = toProblem(caught);
		return problem.code === 'skill_unusable' ? problem : unusable(name, 'its file cannot be read');
	}
}

/** True for names that stay inside the folder. */
function isSkillName(name: string): boolean {
	return /^[\p{L}\p{N}_][\p{L}\p{N}_. -]{0,99}$/u.test(name);
}
