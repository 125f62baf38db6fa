import {errorText, Problem, problemLine, toProblem} from '../../util/problem.ts';
import {type ProblemCode, problemCodes} from '../../util/problem-codes.ts';
import {safeText} from '../../util/safe-text.ts';
import {type CommandContext, type ExitCode} from './command.ts';

/** Runs the work of a command; whatever it rejects with is reported on stderr, once, and becomes the exit code. */
export async function runCommand(context: CommandContext, work: () => Promise<ExitCode>): Promise<ExitCode> {
	try {
		return await work();
	} catch (error) {
		return reportProblem(context, toProblem(error));
	}
}

/** Reports what went wrong and what to do about it, with `--json` also as the document; answers the exit code that belongs to it. */
export function reportProblem(
	context: Pick<CommandContext, 'stderr' | 'onProblem' | 'usageRemedy'>,
	reported: Problem,
): ExitCode {
	const problem = withUsageRemedy(reported, context.usageRemedy);
	context.onProblem?.(problem);
	context.stderr(`sluice: ${safeText(`${problemLine(problem)}${causeText(problem)}`)}\n${remedyLine(problem)}`);
	return problem.code === 'bad_usage' || problem.code === 'ambiguous_id' ? 2 : 1;
}

/** A wrong use with this remedy, unless it has a remedy of its own. */
export function withUsageRemedy(problem: Problem, usageRemedy: string | undefined): Problem {
	const {code, scope, remedy} = problem;
	if (code !== 'bad_usage' || remedy !== problemCodes[code].remedy || usageRemedy === undefined) {
		return problem;
	}

	return new Problem(code, {message: problemLine(problem), remedy: usageRemedy, ...(scope && {scope})});
}

/** Codes whose cause is in no log: this process has none, and a disk, a database or Sluice itself failed. */
const withCause: ReadonlySet<ProblemCode> = new Set(['internal', 'storage_unavailable']);

/** The cause of a problem, if its message does not name it. */
function causeText({code, message, detail = ''}: Problem): string {
	return withCause.has(code) && !message.includes(detail) ? ` (${detail})` : '';
}

/** Says that a person did not want it, with `--json` as the error `cancelled`; answers the exit code. */
export function reportDeclined(context: Pick<CommandContext, 'stderr' | 'onProblem'>, text: string): ExitCode {
	context.onProblem?.(new Problem('cancelled', {message: text}));
	context.stderr(`${text}\n`);
	return 1;
}

/** Reports an error that nobody caught, and where it came from. */
export function reportCrash(context: Pick<CommandContext, 'stderr'>, error: unknown): ExitCode {
	const code = reportProblem(context, toProblem(error, 'internal', {detail: errorText(error)}));
	const stack = error instanceof Error ? (error.stack ?? '') : '';
	context.stderr(
		stack
			.split('\n')
			.map(line => `${safeText(line)}\n`)
			.join(''),
	);
	return code;
}

/** The remedy of a problem, as a line below it. A cancelled command needs none. */
export function remedyLine({code, remedy}: Problem): string {
	return code === 'cancelled' ? '' : `        ${safeText(remedy)}\n`;
}
