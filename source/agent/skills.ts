import {readdir} from 'node:fs/promises';
import {join} from 'node:path';
import {parseConfigText} from '../config/read/file.ts';
import {readTextFile} from '../config/values/text-file.ts';
import {isJsonObject} from '../util/json-text.ts';
import {isOutOfFiles, tooManyOpenFiles} from '../util/open-files.ts';
import {Problem, toProblem} from '../util/problem.ts';
import {safeText} from '../util/safe-text.ts';

/** A person's instructions for the model. */
export type Skill = {
	/** The name of its folder, which routes refer to. */
	readonly name: string;
	readonly description: string;
	readonly text: string;
};

/** The readable skills, and why others could not be read. */
export type SkillReading = {readonly skills: readonly Skill[]; readonly problems: readonly Problem[]};

const maxSkills = 500;

/** All skills in the folder `directory`, sorted by name; none if the folder does not exist. Rejects as `loadSkills` does. */
export async function listSkills(directory: string): Promise<SkillReading> {
	const entries = await readdir(directory, {withFileTypes: true}).catch(() => []);
	const names = entries.filter(entry => entry.isDirectory() || entry.isSymbolicLink()).map(entry => entry.name);
	return loadSkills(directory, names.filter(isSkillName).sort().slice(0, maxSkills));
}

/** The skills with these names, in their order, without duplicates; all of them are loaded (docs/agents.md, Runs). Rejects only with `too_many_open_files`. */
export async function loadSkills(directory: string, names: readonly string[]): Promise<SkillReading> {
	const readings = await Promise.all([...new Set(names)].map(name => loadSkill(directory, name)));
	return {
		skills: readings.flatMap(reading => (reading instanceof Problem ? [] : [reading])),
		problems: readings.flatMap(reading => (reading instanceof Problem ? [reading] : [])),
	};
}

async function loadSkill(directory: string, name: string): Promise<Skill | Problem> {
	if (!isSkillName(name)) {
		return unusable(name, 'the name of a skill has letters, digits, hyphens and underscores, as its folder does');
	}

	const path = join(directory, name, 'SKILL.md');
	try {
		const text = await readTextFile(path);
		return text === undefined ? unusable(name, `skills/${name}/SKILL.md does not exist`) : parseSkill(name, path, text);
	} catch (caught) {
		// The skill itself is fine, so the run must not continue without it.
		if (isOutOfFiles(caught)) {
			throw tooManyOpenFiles(caught);
		}

		const problem = toProblem(caught);
		return problem.code === 'skill_unusable' ? problem : unusable(name, 'its file cannot be read');
	}
}

/** True for names that cannot escape the folder. */
function isSkillName(name: string): boolean {
	return /^[\p{L}\p{N}_][\p{L}\p{N}_. -]{0,99}$/u.test(name);
}

const frontMatter = /^---\r?\n(?<head>[\s\S]*?)\r?\n---(?:\r?\n|$)(?<body>[\s\S]*)$/u;

/** Parses a `SKILL.md`. Throws `skill_unusable` when its front matter is not a mapping or nothing follows it. */
function parseSkill(name: string, path: string, text: string): Skill {
	const {head = '', body = text} = frontMatter.exec(text.replace(/^\uFEFF/u, ''))?.groups ?? {};
	const file = parseConfigText(path, head);
	const fields = file.kind === 'read' ? (file.value ?? {}) : undefined;
	if (!isJsonObject(fields)) {
		throw unusable(name, 'its front matter is not a mapping in YAML');
	}

	const {description} = fields;
	if (body.trim() === '') {
		throw unusable(name, 'it is empty');
	}

	return {name, description: typeof description === 'string' ? description : '', text: body.trim()};
}

/** The reason that a skill is not loaded; a warning, because the run continues without it. */
function unusable(name: string, reason: string): Problem {
	const message = `The skill "${safeText(name, {maximumCharacters: 80})}" is not loaded: ${reason}`;
	return new Problem('skill_unusable', {message, level: 'warning'});
}
