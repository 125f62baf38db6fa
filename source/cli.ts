import meow from 'meow';
import {runProgram} from './commands/run-program.ts';

const flags = {
	help: {type: 'boolean', shortFlag: 'h'},
	version: {type: 'boolean', shortFlag: 'v'},
	home: {type: 'string'},
	profile: {type: 'string'},
	demo: {type: 'boolean', default: false},
	tui: {type: 'boolean', default: true},
	readOnly: {type: 'boolean', default: false},
	ascii: {type: 'boolean', default: false},
	screenReader: {type: 'boolean', default: false},
	json: {type: 'boolean'},
	args: {type: 'string'},
	approve: {type: 'boolean'},
	message: {type: 'string'},
	scope: {type: 'string'},
	limit: {type: 'number'},
	route: {type: 'string'},
	log: {type: 'string'},
	events: {type: 'string'},
	prompt: {type: 'string'},
	deliver: {type: 'string'},
	deliverChatId: {type: 'string'},
	deliverOnly: {type: 'boolean'},
	description: {type: 'string'},
	cronJob: {type: 'string'},
	routeProfile: {type: 'string'},
	payload: {type: 'string'},
	dryRun: {type: 'boolean'},
	event: {type: 'string'},
	yes: {type: 'boolean'},
} as const;

/** Runs the program with the words behind its name; answers the exit code (spec/decisions.md, D2). */
export async function main(argv: readonly string[]): Promise<number> {
	const parsed = parse(argv);
	if (parsed instanceof Error) {
		process.stderr.write(`sluice: ${parsed.message}\n        See --help\n`);
		return 2;
	}

	const known = new Set<string>([...Object.keys(flags), 'h', 'v']);
	return runProgram({
		words: parsed.input,
		flags: parsed.flags,
		unknownFlags: Object.keys(parsed.flags).filter(name => !known.has(name)),
		knownFlags: Object.keys(flags),
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
		flags,
		autoHelp: false,
		autoVersion: false,
		allowUnknownFlags: true,
		booleanDefault: undefined,
	});
}
