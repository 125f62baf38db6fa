import {vi} from 'vitest';
import {parseCommandLine} from '../../source/commands/cli/parse-command-line.ts';
import {reportProblem} from '../../source/commands/cli/run-command.ts';
import {runProgram} from '../../source/commands/cli/run-program.ts';
import {toProblem} from '../../source/util/problem.ts';
import {type Ending, environment, program, type Surroundings} from './sluice.ts';

const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/**
Runs a command to its end in the process of the test, from its words to its exit code, on a state directory. For what a command does; that
the built program does it too is for the stories. Not for tests that run at the same time: it sets the environment of the process.
*/
export async function runSluice({home, env}: Surroundings, ...words: readonly string[]): Promise<Ending> {
	const texts = {stdout: '', stderr: ''};
	const output = {
		stdout: (text: string) => void (texts.stdout += text),
		stderr: (text: string) => void (texts.stderr += text),
		stop: () => undefined,
	};
	const listeners = signals.map(signal => [signal, process.listeners(signal)] as const);
	const variables = {XDG_RUNTIME_DIR: undefined, ...environment(home), ...env};
	Object.entries(variables).forEach(([name, value]) => vi.stubEnv(name, value));
	const [, runner = ''] = process.argv;
	process.argv[1] = program;
	try {
		const code = await runProgram(parseCommandLine(words), 'in a test', output);
		return {code, ...texts};
	} catch (error) {
		const code = reportProblem(output, toProblem(error));
		return {code, ...texts};
	} finally {
		process.argv[1] = runner;
		vi.unstubAllEnvs();
		for (const [signal, before] of listeners) {
			const added = process.listeners(signal).filter(listener => !before.includes(listener));
			added.forEach(listener => process.off(signal, listener));
		}
	}
}

/** Runs a listing command and answers the one JSON document it prints. */
export async function runSluiceJson(surroundings: Surroundings, ...words: readonly string[]): Promise<unknown> {
	const {stdout} = await runSluice(surroundings, ...words, '--json');
	return JSON.parse(stdout);
}
