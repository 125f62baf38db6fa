import {readFileSync} from 'node:fs';
import {openProgramOutput, type ProgramOutput} from './commands/cli/program-output.ts';
import {runProgram} from './commands/cli/run-program.ts';
import {typedLine} from './commands/cli/typed-line.ts';
import {systemClock} from './util/clock.ts';

/** Runs the program with the words behind its name; answers the exit code (docs/cli.md, Conventions) once all that it printed was taken. */
export async function main(argv: readonly string[]): Promise<number> {
	const output = openProgramOutput(process, systemClock);
	return output.drain(await run(argv, output));
}

async function run(argv: readonly string[], output: ProgramOutput): Promise<number> {
	const line = typedLine(argv);
	if (line.kind === 'not-understood') {
		output.stderr(`sluice: ${line.message}\n        See --help\n`);
		return 2;
	}

	return runProgram({...line, version: ownVersion()}, output);
}

/** The version in the package this file is part of; it lies above source/ and dist/ alike. */
function ownVersion(): string {
	const {version} = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as {version: string};
	return version;
}
