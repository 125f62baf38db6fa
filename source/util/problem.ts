import {relative} from 'node:path';
import {type ProblemCode, problemCodes} from './problem-codes.ts';

/** Where a problem belongs: the row of the dashboard that shows it. */
export type ProblemScope =
	| {readonly kind: 'server'; readonly name: string}
	| {readonly kind: 'route'; readonly name: string}
	| {readonly kind: 'platform'; readonly name: string}
	| {readonly kind: 'gateway'};

/** The place in a file that a person must look at; line and column count from 1. */
export type Place = {
	readonly file: string;
	readonly line: number;
	readonly column: number;
	readonly keyPath: string;
};

export type ProblemOptions = {
	/** Public text. It may be shown to anyone, so it holds no secret and no unescaped foreign text. Default: the table's. */
	readonly message?: string;
	/** Private text for the log only. */
	readonly detail?: string;
	readonly level?: 'error' | 'warning';
	readonly scope?: ProblemScope;
	readonly place?: Place;
	readonly cause?: unknown;
};

/** The only error that crosses rooms: a code from the table, a public text, a private detail, a place. */
export class Problem extends Error {
	override readonly name = 'Problem';
	readonly code: ProblemCode;
	readonly detail: string | undefined;
	readonly level: 'error' | 'warning';
	readonly scope: ProblemScope | undefined;
	readonly place: Place | undefined;

	constructor(code: ProblemCode, options: ProblemOptions = {}) {
		super(options.message ?? problemCodes[code].meaning, {cause: options.cause});
		this.code = code;
		this.detail = options.detail;
		this.level = options.level ?? 'error';
		this.scope = options.scope;
		this.place = options.place;
	}
}

/** Turns whatever was caught into a Problem, once, at the border. The original text becomes private detail. */
export function toProblem(caught: unknown, code: ProblemCode = 'internal', options: ProblemOptions = {}): Problem {
	if (caught instanceof Problem) {
		return caught;
	}

	return new Problem(code, {detail: errorText(caught), cause: caught, ...options});
}

/** The text of anything that was thrown, causes included, for a log. */
export function errorText(caught: unknown): string {
	const texts: string[] = [];
	for (let error = caught, depth = 0; error !== undefined && depth < 4; depth++) {
		if (!(error instanceof Error)) {
			texts.push(typeof error === 'string' ? error : (JSON.stringify(error) ?? typeof error));
			break;
		}

		texts.push(error.message || error.name);
		error = error.cause;
	}

	return texts.join(': ');
}

/** One line for a person: place first when there is one, then the text. Files are named as seen from `directory`. */
export function problemLine(problem: Problem, directory?: string): string {
	const {place} = problem;
	if (!place) {
		return problem.message;
	}

	const file = directory === undefined ? place.file : relative(directory, place.file);
	return `${file}:${place.line}:${place.column}: ${place.keyPath ? `${place.keyPath}: ` : ''}${problem.message}`;
}

/** The code of an error of the system (`ENOENT`, `EPERM`, …), if it is one. */
export function systemErrorCode(error: unknown): string | undefined {
	return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;
}
