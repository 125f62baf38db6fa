import {readFileSync} from 'node:fs';
import {runProgram} from './commands/run-program.ts';
import {typedLine} from './commands/typed-line.ts';

/** Runs the program with the words behind its name; answers the exit code (spec/decisions.md, D2). */
export async function main(argv: readonly string[]): Promise<number> {
	const line = typedLine(argv);
	if (line.kind === 'not-understood') {
		process.stderr.write(`sluice: ${line.message}\n        See --help\n`);
		return 2;
	}

	return runProgram({...line, version: ownVersion()});
}

/** The version in the package this file is part of; it lies above source/ and dist/ alike. */
function ownVersion(): string {
	const {version} = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as {version: string};
	return version;
}
