import {type Problem, type ProblemScope} from '../../util/problem.ts';
import {type ProblemCode} from '../../util/problem-codes.ts';
import {createProblemList, type KeyPath, type ProblemList} from './problem-list.ts';

/** The part of a file that is being read: where it stands, whose row shows its problems, and who collects them. */
export type Section = {
	readonly problems: ProblemList;
	readonly path: KeyPath;
	readonly scope?: ProblemScope;
};

/** A section for a value that did not come from a file with lines: an install link, a record of the subscriptions file. */
export function sectionWithoutFile(source: string, scope?: ProblemScope): Section {
	return {problems: createProblemList({file: source}), path: [], scope};
}

/** The section below `keys`. */
export function subsection(section: Section, keys: KeyPath, scope = section.scope): Section {
	return {problems: section.problems, path: [...section.path, ...keys], scope};
}

/** Tells something about the value at `key` of a section, which goes on being read. */
export function warn(section: Section, key: KeyPath, message: string): Problem {
	return add(section, {key, message, level: 'warning', code: 'config_invalid'});
}

/** Tells that the value at `key` makes the section unusable. */
export function refuse(section: Section, key: KeyPath, message: string): Problem {
	return add(section, {key, message, level: 'error', code: 'config_invalid'});
}

/** Tells something about a key of a section, with a code of its own. The place is the key, unless `part` says the value. */
export function report(section: Section, finding: Telling): Problem {
	return add(section, {part: 'key', ...finding});
}

type Telling = {
	readonly code: ProblemCode;
	readonly level: 'error' | 'warning';
	readonly key: KeyPath;
	readonly part?: 'key' | 'value';
	readonly message: string;
};

function add(section: Section, finding: Telling): Problem {
	const {key, ...rest} = finding;
	return section.problems.add({...rest, path: [...section.path, ...key], scope: section.scope});
}
