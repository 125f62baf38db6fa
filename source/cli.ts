import {readFileSync} from 'node:fs';
import {openProgramOutput, type ProgramOutput} from './commands/cli/program-output.ts';
import {reportProblem} from './commands/cli/run-command.ts';
import {type CommandLine, runProgram} from './commands/cli/run-program.ts';
import {systemClock} from './util/clock.ts';
import {toProblem} from './util/problem.ts';
import {watchThreads} from './util/stuck-threads.ts';

/** The parsed form of an empty command line. It starts the dashboard, whose first frame does not wait for the parser. */
export const emptyLine: CommandLine = {
	words: [],
	flags: {
		tui: true,
		readOnly: false,
		ascii: false,
		screenReader: false,
		demo: false,
		env: [],
		passEnv: [],
		set: [],
		header: [],
		extra: [],
		ignore: [],
		probe: true,
		webhooks: true,
	},
	unknownFlags: [],
};

/**
Runs the program with the words behind its name; answers the exit code (docs/cli.md, Conventions) once all that it printed was taken. Where a thread
hangs, the process ends itself: `process.exit` would wait for the thread.
*/
export async function main(argv: readonly string[]): Promise<number> {
	const output = openProgramOutput(process, systemClock);
	const threads = watchThreads(systemClock);
	const code = await output.drain(await run(argv, output));
	if (!(await threads.end())) {
		output.stderr('sluice: A disk does not answer a thread of this process, so the process ends itself with SIGKILL\n');
		process.kill(process.pid, 'SIGKILL');
	}

	return code;
}

async function run(argv: readonly string[], output: ProgramOutput): Promise<number> {
	try {
		return await runProgram(await parse(argv, output), ownVersion(), output);
	} catch (error) {
		return reportProblem(output, toProblem(error));
	}
}

async function parse(argv: readonly string[], {stdout}: Pick<ProgramOutput, 'stdout'>): Promise<CommandLine> {
	if (argv.length === 0) {
		return emptyLine;
	}

	const {parseCommandLine} = await import('./commands/cli/parse-command-line.ts');
	try {
		return parseCommandLine(argv);
	} catch (error) {
		if (argv.includes('--json')) {
			const {errorDocument} = await import('./commands/cli/error-document.ts');
			stdout(errorDocument(toProblem(error)));
		}

		throw error;
	}
}

/** The version in the package this file is part of; it lies above source/ and dist/ alike. */
function ownVersion(): string {
	const {version} = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as {version: string};
	return version;
}
