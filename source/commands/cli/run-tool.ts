import {type Environment} from '../../config/read/environment.ts';
import {type Clock, openDeadline} from '../../util/clock.ts';
import {Problem} from '../../util/problem.ts';
import {safeText} from '../../util/safe-text.ts';

/** The result of a program of the system; `missing`: it is not installed. */
export type ToolResult =
	| {readonly kind: 'missing'}
	| {readonly kind: 'ended'; readonly code: number; readonly stdout: string; readonly stderr: string};

/** Runs a program of the system, as `systemctl`, to its end; `input` goes to its stdin. Rejects when it does not end in time, or the person breaks off. */
export type RunTool = (program: string, args: readonly string[], input?: string) => Promise<ToolResult>;

/** `systemctl stop` ends with the service, which may take `stopSeconds`; beyond that, this long. */
const graceMilliseconds = 30_000;
const longestOutput = 1_000_000;

/** Runs programs with the environment of this process, in English and without colours. */
export function createRunTool({
	environment,
	clock,
	signal,
	stopSeconds,
}: {
	readonly environment: Pick<Environment, 'variables'>;
	readonly clock: Clock;
	readonly signal: AbortSignal;
	readonly stopSeconds: number;
}): RunTool {
	const env = {...environment.variables, LC_ALL: 'C', SYSTEMD_COLORS: '0', SYSTEMD_PAGER: ''};
	return async (program, args, input) => {
		const {execa} = await import('execa');
		const reason = () => new Problem('service_unavailable', {message: `\`${program}\` did not end in time`});
		const deadline = openDeadline(clock, stopSeconds * 1000 + graceMilliseconds, {signal, reason});
		try {
			const result = await execa(program, args, {
				env,
				extendEnv: false,
				reject: false,
				...(input === undefined ? {stdin: 'ignore'} : {input}),
				cancelSignal: deadline.signal,
				maxBuffer: longestOutput,
			});
			deadline.signal.throwIfAborted();
			return result.code === 'ENOENT'
				? {kind: 'missing'}
				: {kind: 'ended', code: result.exitCode ?? 1, stdout: result.stdout, stderr: result.stderr};
		} finally {
			deadline.cancel();
		}
	};
}

/** The program of a service manager, and its commands that have to succeed: `must` rejects with `service_failed`. */
export function createManagerTool(
	run: RunTool,
	{
		program,
		words = [],
		missing,
	}: {readonly program: string; readonly words?: readonly string[]; readonly missing: () => Problem},
) {
	const call = async (...args: readonly string[]) => {
		const result = await run(program, [...words, ...args]);
		if (result.kind === 'missing') {
			throw missing();
		}

		return result;
	};

	const must = async (...args: readonly string[]) => {
		const result = await call(...args);
		if (result.code !== 0) {
			const message = `\`${program} ${args[0]}\` failed: ${safeText(firstLine(result))}`;
			throw new Problem('service_failed', {message});
		}
	};

	return {call, must};
}

/** The first line that a program wrote to stderr, else to stdout. */
export function firstLine(result: ToolResult): string {
	const text = result.kind === 'ended' ? result.stderr.trim() || result.stdout.trim() : '';
	return text.split('\n')[0] ?? '';
}
