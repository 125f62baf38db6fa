import {relative} from 'node:path';
import {shellWord} from './named-commands.ts';
import {type ProblemCode, problemCodes} from './problem-codes.ts';
import {safeText} from './safe-text.ts';

/** The dashboard row that shows a problem. */
export type ProblemScope =
	| {readonly kind: 'server'; readonly name: string}
	| {readonly kind: 'route'; readonly name: string}
	| {readonly kind: 'platform'; readonly name: string}
	| {readonly kind: 'gateway'};

/** The position in a file to look at; line and column count from 1. */
export type FilePosition = {
	readonly file: string;
	readonly line: number;
	readonly column: number;
	readonly keyPath: string;
};

/** A JSON-RPC error of a server. Untrusted. */
export type RpcError = {readonly code: number; readonly message: string; readonly data?: unknown};

export type ProblemOptions = {
	/** Public text. It may be shown to anyone, so it contains no secret and no unescaped untrusted text. Default: the table's. */
	readonly message?: string;
	/** Private text for the log only. */
	readonly detail?: string;
	/** The remedy, if the one of the table does not fit. Public, like the message. NAME in it is the name of the scope. */
	readonly remedy?: string;
	/** The message where the value is refused; the message itself says which value is in use instead. */
	readonly refusal?: string;
	readonly level?: 'error' | 'warning';
	readonly scope?: ProblemScope;
	readonly place?: FilePosition;
	/** It ended a call that was under way and may have taken effect. */
	readonly isOutcomeUncertain?: boolean;
	/** The server refused the request with it. */
	readonly rpcError?: RpcError;
	readonly cause?: unknown;
};

/** The only error that crosses modules: a code from the table, a public text, a private detail and a position. */
export class Problem extends Error {
	override readonly name = 'Problem';
	readonly code: ProblemCode;
	readonly detail: string | undefined;
	readonly remedy: string;
	readonly refusal: string | undefined;
	readonly level: 'error' | 'warning';
	readonly scope: ProblemScope | undefined;
	readonly place: FilePosition | undefined;
	readonly isOutcomeUncertain: boolean;
	readonly rpcError: RpcError | undefined;

	constructor(code: ProblemCode, options: ProblemOptions = {}) {
		super(options.message ?? problemCodes[code].meaning, {cause: options.cause});
		this.code = code;
		this.detail = options.detail;
		this.remedy = withName(options.remedy ?? problemCodes[code].remedy, options.scope);
		this.refusal = options.refusal;
		this.level = options.level ?? 'error';
		this.scope = options.scope;
		this.place = options.place;
		this.isOutcomeUncertain = options.isOutcomeUncertain ?? code === 'outcome_uncertain';
		this.rpcError = options.rpcError;
	}
}

/** The problem as one of the tool server with this name: the commands of its remedy are for it. */
export function ofServer(problem: Problem, server: string): Problem {
	const {code, message, detail, remedy, level, place, isOutcomeUncertain, rpcError, cause} = problem;
	return new Problem(code, {
		message,
		remedy,
		level,
		isOutcomeUncertain,
		cause,
		...(detail !== undefined && {detail}),
		...(place && {place}),
		...(rpcError && {rpcError}),
		scope: {kind: 'server', name: server},
	});
}

/** A remedy whose commands have a name in place of NAME, where it is known. */
function withName(remedy: string, scope: ProblemScope | undefined): string {
	return scope && 'name' in scope
		? remedy.replaceAll(/ NAME(?=[ `])/gu, () => ` ${shellWord(safeText(scope.name, {maximumCharacters: 100}))}`)
		: remedy;
}

/** Converts a caught value to a Problem, once, at the boundary. The original text becomes private detail. */
export function toProblem(caught: unknown, code: ProblemCode = 'internal', options: ProblemOptions = {}): Problem {
	if (caught instanceof Problem) {
		return caught;
	}

	return new Problem(code, {detail: errorText(caught), cause: caught, ...options});
}

/** The text of any thrown value, causes included, for a log. */
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

/** One line for a person: the position, if any, then the text. Files are relative to `directory`. */
export function problemLine(problem: Problem, directory?: string): string {
	const {place} = problem;
	if (!place) {
		return problem.message;
	}

	const file = directory === undefined ? place.file : relative(directory, place.file);
	return `${file}:${place.line}:${place.column}: ${place.keyPath ? `${place.keyPath}: ` : ''}${problem.message}`;
}

/** The code of a system error (`ENOENT`, `EPERM`, …), if it is one. */
export function systemErrorCode(error: unknown): string | undefined {
	return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;
}
