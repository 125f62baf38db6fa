import {type Problem, type ProblemScope} from '../../util/problem.ts';
import {type ProblemCode} from '../../util/problem-codes.ts';
import {createProblemList, type KeyPath, type ProblemList} from './problem-list.ts';

/** The section of a file being read: its path, the row that shows its problems, and the list that collects them. */
export type Section = {
	readonly problems: ProblemList;
	readonly path: KeyPath;
	readonly scope?: ProblemScope;
};

/** A section for a value without a source file: an install link, a record of the subscriptions file. */
export function sectionWithoutFile(source: string, scope?: ProblemScope): Section {
	return {problems: createProblemList({file: source}), path: [], scope};
}

/** The section below `keys`. */
export function subsection(section: Section, keys: KeyPath, scope = section.scope): Section {
	return {problems: section.problems, path: [...section.path, ...keys], scope};
}

/** Reports a problem of the value at `key`; the section stays usable. */
export function warn(section: Section, key: KeyPath, message: string, about: Pick<Report, 'refusal'> = {}): Problem {
	return add(section, {key, message, level: 'warning', code: 'config_invalid', ...about});
}

/** Reports that the value at `key` makes the section unusable. */
export function refuse(section: Section, key: KeyPath, message: string): Problem {
	return add(section, {key, message, level: 'error', code: 'config_invalid'});
}

/** Reports a problem of a key with its own code. The position is the key's, unless `part` is the value. */
export function report(section: Section, finding: Report): Problem {
	return add(section, {part: 'key', ...finding});
}

type Report = {
	readonly code: ProblemCode;
	readonly level: 'error' | 'warning';
	readonly key: KeyPath;
	readonly part?: 'key' | 'value';
	readonly message: string;
	readonly refusal?: string;
	readonly remedy?: string;
};

function add(section: Section, finding: Report): Problem {
	const {key, ...rest} = finding;
	return section.problems.add({...rest, path: [...section.path, ...key], scope: section.scope});
}
