import {type ProblemCode} from '../../util/problem-codes.ts';
import {type FilePosition, Problem, type ProblemScope} from '../../util/problem.ts';
import {safeText} from '../../util/safe-text.ts';

/** The keys and list positions from the root of a file to a value. */
export type KeyPath = ReadonlyArray<string | number>;

/** Line and column of the key or of the value at a path, from 1; undefined without source lines. */
export type Locate = (path: KeyPath, part: 'key' | 'value') => Pick<FilePosition, 'line' | 'column'> | undefined;

/** A problem with a value of a file. */
export type Finding = {
	readonly code: ProblemCode;
	readonly level: 'error' | 'warning';
	readonly path: KeyPath;
	/** The position to report. Default: the value. */
	readonly part?: 'key' | 'value';
	readonly message: string;
	/** The message where the value is refused and not replaced. */
	readonly refusal?: string;
	/** The remedy, if the one of the table of codes does not fit. */
	readonly remedy?: string;
	readonly scope?: ProblemScope;
};

/** Collects the problems of one file, each with its position. */
export type ProblemList = {
	readonly add: (finding: Finding) => Problem;
	readonly place: (path: KeyPath, part: 'key' | 'value') => FilePosition | undefined;
	/** All problems, in file order; those without a position come first. */
	readonly all: () => readonly Problem[];
};

/** Creates a list. Without `locate` (the value did not come from a file with lines) the messages name the file and the key path. */
export function createProblemList(options: {readonly file: string; readonly locate?: Locate}): ProblemList {
	const problems: Problem[] = [];
	const place: ProblemList['place'] = (path, part) => {
		const position = options.locate?.(path, part);
		return position && {file: options.file, ...position, keyPath: safeText(keyPathText(path))};
	};

	return {
		place,
		add({code, level, path, part = 'value', message, refusal, ...about}) {
			// Finding a position takes longer in larger files.
			const found = problems.length < maxProblems ? place(path, part) : undefined;
			const prefix = found ? '' : [options.file, keyPathText(path), ''].filter((text, index) => text || index > 1);
			const withPrefix = (text: string) => (prefix === '' ? text : `${safeText(prefix.join(': '))}${text}`);
			const problem = new Problem(code, {
				message: withPrefix(message),
				...(refusal !== undefined && {refusal: withPrefix(refusal)}),
				level,
				place: found,
				...about,
			});
			if (problems.length < maxProblems) {
				problems.push(problem);
			}

			return problem;
		},
		all: () => [...problems].sort(byPlace),
	};
}

/** Nobody reads more, and a file can have a million of them. */
const maxProblems = 500;

function byPlace(first: Problem, second: Problem): number {
	return (
		(first.place?.line ?? 0) - (second.place?.line ?? 0) || (first.place?.column ?? 0) - (second.place?.column ?? 0)
	);
}

/** A key path for people: `mcp_servers.github.args[1]`; names other than plain words are quoted. */
export function keyPathText(path: KeyPath): string {
	return path.map(keyText).join('').replace(/^\./u, '');
}

function keyText(key: string | number): string {
	if (typeof key === 'number') {
		return `[${key}]`;
	}

	return /^[\w-]+$/u.test(key) ? `.${key}` : `.${JSON.stringify(safeText(key, {maximumCharacters: longestShownKey}))}`;
}

const longestShownKey = 100;
