import {toProblem} from '../../util/problem.ts';
import {type CommandFlags} from './command-context.ts';
import {type ProgramOutput} from './program-output.ts';
import {refuseStrayFlags, refuseStrayProfile} from './refuse-flags.ts';
import {reportProblem} from './report-problem.ts';
import {runInContext} from './run-in-context.ts';
import {matchCommand} from './find-command.ts';
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

/** A command line, parsed, and who reads it. */
export type ProgramLine = {
	readonly words: readonly string[];
	readonly flags: TypedFlags;
	readonly unknownFlags: readonly string[];
	readonly version: string;
};

/** Finds the command and runs it. Whatever goes wrong is told on stderr; answers the exit code. */
export async function runProgram(line: ProgramLine, output: Omit<ProgramOutput, 'drain'>): Promise<number> {
	try {
		return await runLine(line, output);
	} catch (error) {
		return reportProblem(output, toProblem(error));
	}
}

async function runLine(line: ProgramLine, output: Omit<ProgramOutput, 'drain'>): Promise<number> {
	if (line.flags.version) {
		output.stdout(`${line.version}\n`);
		return 0;
	}

	const [first, ...others] = line.words;
	if (line.flags.help || first === 'help') {
		const {helpText} = await import('./help-text.ts');
		output.stdout(helpText(first === 'help' ? others : line.words));
		return 0;
	}

	const {command, rest} = matchCommand(line.words);
	refuseStrayFlags(command, line);
	const session = openSession(globalFlags(line.flags), line.version);
	refuseStrayProfile(session, command);
	// Until the process ends: a signal that nobody listens for in between would be lost.
	session.onSignal(output.stop);
	const {stdout, stderr} = output;
	return runInContext(command, {session, output: {stdout, stderr}, arguments: rest, flags: line.flags});
}

function globalFlags(flags: TypedFlags): Session['flags'] {
	return {
		profile: flags.profile,
		home: flags.home,
		demo: flags.demo,
		window: flags.tui && !flags.screenReader ? 'allowed' : 'never',
		questions: flags.screenReader && !flags.readOnly ? 'numbered' : undefined,
		readOnly: flags.readOnly,
		ascii: flags.ascii,
	};
}
