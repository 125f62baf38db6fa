import {parseConfigText} from '../config/read/file.ts';
import {isJsonObject} from '../util/json-text.ts';
import {Problem} from '../util/problem.ts';
import {safeText} from '../util/safe-text.ts';

/** A piece of know-how that a person wrote for the model. */
export type Skill = {
	/** The name of its folder, which routes call it by. */
	readonly name: string;
	readonly description: string;
	readonly text: string;
};

const frontMatter = /^---\r?\n(?<head>[\s\S]*?)\r?\n---(?:\r?\n|$)(?<body>[\s\S]*)$/u;

/** Reads the text of a `SKILL.md`. Throws `skill_unusable` when its front matter is no mapping or nothing follows it. */
export function parseSkill(name: string, path: string, text: string): Skill {
	const {head = '', body = text} = frontMatter.exec(text.replace(/^\uFEFF/u, ''))?.groups ?? {};
	const file = parseConfigText(path, head);
	const fields = file.kind === 'read' ? (file.value ?? {}) : undefined;
	if (!isJsonObject(fields)) {
		throw unusable(name, 'its front matter is not a mapping in YAML');
	}

	const {description} = fields;
	if (body.trim() === '') {
		throw unusable(name, 'it has no text');
	}

	return {name, description: typeof description === 'string' ? description : '', text: body.trim()};
}

/** Why a skill is not loaded; a warning, because the run goes on without it. */
export function unusable(name: string, reason: string): Problem {
	const message = `The skill "${safeText(name, {maximumCharacters: 80})}" is not loaded: ${reason}`;
	return new Problem('skill_unusable', {message, level: 'warning'});
}
