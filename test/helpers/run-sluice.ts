import {vi} from 'vitest';
import {parseCommandLine} from '../../source/commands/cli/parse-command-line.ts';
import {reportProblem} from '../../source/commands/cli/run-command.ts';
import {runProgram} from '../../source/commands/cli/run-program.ts';
import {toProblem} from '../../source/util/problem.ts';
import {type Ending, environment, lineOf, program, type Running, type Surroundings} from './sluice.ts';

type Output = Parameters<typeof runProgram>[2];

/** The number of commands that have not ended yet, and the program that runs the test. */
let running = 0;
const [, runner = ''] = process.argv;

const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/**
Runs a command to its end in the process of the test, from its words to its exit code, on a state directory: a start of the program takes
half a second of the processor. For what a command does, and for looks at a gateway that runs; that the built program does it too is for the
stories. Also for tests that run at the same time: a command reads the environment before anything else, and passes it on to what it starts.
*/
export function runSluice(surroundings: Surroundings, ...words: readonly string[]): Promise<Ending> {
	return beginSluice(surroundings, ...words).end;
}

/** A command that has begun in the process of the test. */
export type BegunCommand = Pick<Running, 'waitForLine' | 'end'>;

/** The same for a command that says something before its end. */
export function beginSluice(surroundings: Surroundings, ...words: readonly string[]): BegunCommand {
	const texts = {stdout: '', stderr: ''};
	const end = runInto(texts, surroundings, words);
	return {waitForLine: text => lineOf(() => texts, text), end};
}

async function runInto(
	texts: {stdout: string; stderr: string},
	{home, env}: Surroundings,
	words: readonly string[],
): Promise<Ending> {
	const output = {
		stdout: (text: string) => void (texts.stdout += text),
		stderr: (text: string) => void (texts.stderr += text),
		stop: () => undefined,
	};
	const listeners = signals.map(signal => [signal, process.listeners(signal)] as const);
	process.argv[1] = program;
	running++;
	try {
		const code = await startProgram(words, {...environment(home), ...env}, output);
		return {code, ...texts};
	} catch (error) {
		const code = reportProblem(output, toProblem(error));
		return {code, ...texts};
	} finally {
		running--;
		process.argv[1] = running === 0 ? runner : program;
		for (const [signal, before] of listeners) {
			const added = process.listeners(signal).filter(listener => !before.includes(listener));
			added.forEach(listener => process.off(signal, listener));
		}
	}
}

/** The environment is that of the command for this moment alone. */
function startProgram(
	words: readonly string[],
	env: Readonly<Record<string, string>>,
	output: Output,
): Promise<number> {
	Object.entries({XDG_RUNTIME_DIR: undefined, ...env}).forEach(([name, value]) => vi.stubEnv(name, value));
	try {
		return runProgram(parseCommandLine(words), 'in a test', output);
	} finally {
		vi.unstubAllEnvs();
	}
}

/** Runs a listing command and answers the one JSON document it prints. */
export async function runSluiceJson(surroundings: Surroundings, ...words: readonly string[]): Promise<unknown> {
	const {stdout} = await runSluice(surroundings, ...words, '--json');
	return JSON.parse(stdout);
}
