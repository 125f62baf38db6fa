import {didYouMean} from '../config/did-you-mean.ts';
import {Problem, toProblem} from '../util/problem.ts';
import {type CommandContext, type CommandFlags} from './command-context.ts';
import {confirm} from './confirm.ts';
import {helpText} from './help-text.ts';
import {reportProblem} from './report-problem.ts';
import {routeWords} from './route-words.ts';
import {openSession, type Session} from './session.ts';

/** Flags as they were typed, camelCase. */
export type TypedFlags = CommandFlags & {
	readonly help?: boolean;
	readonly version?: boolean;
	readonly home?: string;
	readonly profile?: string;
	readonly demo: boolean;
	readonly tui: boolean;
	readonly readOnly: boolean;
	readonly ascii: boolean;
	readonly screenReader: boolean;
};

/** A command line, parsed. */
export type TypedLine = {
	readonly words: readonly string[];
	readonly flags: TypedFlags;
	readonly unknownFlags: readonly string[];
	readonly knownFlags: readonly string[];
	readonly version: string;
};

/** Finds the command and runs it. Whatever goes wrong is told on stderr; answers the exit code. */
export async function runProgram(line: TypedLine): Promise<number> {
	const output = {
		stdout: (text: string) => void process.stdout.write(text),
		stderr: (text: string) => void process.stderr.write(text),
	};
	try {
		return await runLine(line, output);
	} catch (error) {
		return reportProblem(output, toProblem(error));
	}
}

async function runLine(line: TypedLine, output: Pick<CommandContext, 'stdout' | 'stderr'>): Promise<number> {
	if (line.flags.version) {
		output.stdout(`${line.version}\n`);
		return 0;
	}

	if (line.flags.help) {
		output.stdout(helpText());
		return 0;
	}

	refuseUnknownFlags(line);
	const {command, rest} = routeWords(line.words);
	const session = openSession(globalFlags(line.flags), line.version);
	return withStopSignal(session, signal =>
		command.run(
			{
				arguments: rest,
				flags: line.flags,
				...output,
				confirm: question => confirm(question, signal),
				paths: session.paths,
				clock: session.clock,
				signal,
			},
			session,
		),
	);
}

/** Ends with whatever `run` does; the first stop signal aborts it. Commands that drain listen for signals themselves. */
async function withStopSignal({onSignal}: Session, run: (signal: AbortSignal) => Promise<number>): Promise<number> {
	const controller = new AbortController();
	const endListening = onSignal(signal => controller.abort(new Problem('cancelled', {message: `Ended by ${signal}`})));
	try {
		return await run(controller.signal);
	} finally {
		endListening();
	}
}

function globalFlags(flags: TypedFlags): Session['flags'] {
	return {
		profile: flags.profile,
		home: flags.home,
		demo: flags.demo,
		window: flags.tui && !flags.screenReader ? 'allowed' : 'never',
		readOnly: flags.readOnly,
		ascii: flags.ascii,
	};
}

function refuseUnknownFlags({unknownFlags, knownFlags}: TypedLine): void {
	const [name] = unknownFlags;
	if (name !== undefined) {
		const suggestion = didYouMean(name, knownFlags);
		const hint = suggestion ? `; did you mean --${hyphenated(suggestion)}?` : '';
		throw new Problem('bad_usage', {message: `Unknown flag: --${hyphenated(name)}${hint}`});
	}
}

function hyphenated(name: string): string {
	return name.replaceAll(/[A-Z]/gu, letter => `-${letter.toLowerCase()}`);
}
