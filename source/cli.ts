import meow from 'meow';
import {flagNames, flagTable} from './commands/flag-table.ts';
import {runProgram} from './commands/run-program.ts';

/** Runs the program with the words behind its name; answers the exit code (spec/decisions.md, D2). */
export async function main(argv: readonly string[]): Promise<number> {
	// What stands behind -- are words, whatever they look like: the command line of a tool server.
	const end = argv.indexOf('--');
	const [own, literal] = end === -1 ? [argv, []] : [argv.slice(0, end), argv.slice(end + 1)];
	const parsed = parse(own);
	if (parsed instanceof Error) {
		process.stderr.write(`sluice: ${parsed.message}\n        See --help\n`);
		return 2;
	}

	const known = new Set<string>(flagNames());
	return runProgram({
		words: [...parsed.input, ...literal],
		flags: parsed.flags,
		unknownFlags: Object.keys(parsed.flags).filter(name => !known.has(name)),
		version: parsed.pkg['version'] ?? 'unknown',
	});
}

/** The words and flags, or what is wrong with them. */
function parse(argv: readonly string[]) {
	try {
		return readFlags(argv);
	} catch (error) {
		return error instanceof Error ? error : new Error('The command line was not understood');
	}
}

function readFlags(argv: readonly string[]) {
	// Help, version and unknown flags are ours to answer: meow would end the process in the middle.
	return meow({
		importMeta: import.meta,
		argv: [...argv],
		flags: flagTable,
		autoHelp: false,
		autoVersion: false,
		allowUnknownFlags: true,
		booleanDefault: undefined,
	});
}
