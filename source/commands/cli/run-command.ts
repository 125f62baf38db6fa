import {toProblem} from '../../util/problem.ts';
import {type CommandContext, type ExitCode} from './command-context.ts';
import {reportProblem} from './report-problem.ts';

/** Runs the work of a command; whatever it rejects with is told on stderr, once, and becomes the exit code. */
export async function runCommand(context: CommandContext, work: () => Promise<ExitCode>): Promise<ExitCode> {
	try {
		return await work();
	} catch (error) {
		return reportProblem(context, toProblem(error));
	}
}
