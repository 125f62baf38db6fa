import {existsSync} from 'node:fs';
import {didYouMean} from '../../config/values/did-you-mean.ts';
import {keepProcessAwake} from '../../util/clock.ts';
import {typedFlags, withFlags} from '../../util/named-commands.ts';
import {Problem, toProblem} from '../../util/problem.ts';
import {findCommand, matchCommand, refuseUnknownWords, usageRemedy} from './command-table.ts';
import {type Command, type CommandContext, type CommandFlags} from './command.ts';
import {confirm, openDialog} from './dialog.ts';
import {describeFlag, type FlagName, flagNames, globalFlags, hyphenated, typedFlag} from './flag-table.ts';
import {type ProgramOutput} from './program-output.ts';
import {reportProblem, withUsageRemedy} from './run-command.ts';
import {openSession, type Session} from './session.ts';

/** Flags as they were typed, camelCase. */
export type TypedFlags = CommandFlags & {
	readonly help?: boolean;
	readonly version?: boolean;
	readonly home?: string;
	readonly profile?: string;
	readonly demo: boolean;
	readonly newJournal?: boolean;
	readonly tui: boolean;
	readonly readOnly: boolean;
	readonly ascii: boolean;
	readonly screenReader: boolean;
};

/** A command line, parsed. */
export type CommandLine = {
	readonly words: readonly string[];
	readonly flags: TypedFlags;
	readonly unknownFlags: readonly string[];
};

/** Finds the command that a parsed command line names, and runs it; answers the exit code. Rejects with whatever went wrong. */
export async function runProgram(
	line: CommandLine,
	version: string,
	streams: Omit<ProgramOutput, 'drain'>,
): Promise<number> {
	const {json, follow} = line.flags;
	const output = watchDocument(streams);
	try {
		return await runLine(line, version, output);
	} catch (caught) {
		output.onProblem(toProblem(caught));
		throw caught;
	} finally {
		const problem = output.missing();
		// A stream has no document.
		if (problem && json && !follow) {
			const {errorDocument} = await import('./error-document.ts');
			streams.stdout(errorDocument(problem));
		}
	}
}

type Output = Omit<ProgramOutput, 'drain'> & Required<Pick<CommandContext, 'onProblem'>>;

async function runLine(line: CommandLine, version: string, output: Output): Promise<number> {
	const asked = line.words[0] === 'help' ? line.words.slice(1) : line.words;
	const remedy = usageRemedy(asked);
	if (line.flags.help || line.flags.version || line.words[0] === 'help') {
		withRemedy(remedy, () => refuseUnknown(asked, line));
	}

	if (line.flags.version) {
		output.stdout(`${version}\n`);
		return 0;
	}

	if (line.flags.help || line.words[0] === 'help') {
		const {helpText} = await import('./help-text.ts');
		output.stdout(helpText(asked));
		return 0;
	}

	const {command, rest} = withRemedy(remedy, () => {
		const matched = matchTyped(line);
		refuseStrayFlags(matched.command, line);
		return matched;
	});
	const session = openSession(sessionFlags(line.flags), version);
	refuseStrayProfile(session, command);
	// Until the process ends: a signal that nobody listens for in between would be lost.
	session.onSignal(output.stop);
	return runInContext(command, {session, output, arguments: rest, flags: line.flags, usageRemedy: remedy});
}

/** Reads a part of the line; a wrong one has this remedy. */
function withRemedy<Part>(remedy: string | undefined, read: () => Part): Part {
	try {
		return read();
	} catch (caught) {
		throw withUsageRemedy(toProblem(caught), remedy);
	}
}

/** The same output. `missing` answers the first problem of a command that has printed no document. */
function watchDocument(streams: Omit<ProgramOutput, 'drain'>): Output & {readonly missing: () => Problem | undefined} {
	let document: 'missing' | 'printed' = 'missing';
	let problem: Problem | undefined;
	return {
		...streams,
		stdout(text) {
			document = text === '' ? document : 'printed';
			streams.stdout(text);
		},
		onProblem(reported) {
			problem ??= reported;
		},
		missing: () => (document === 'missing' ? problem : undefined),
	};
}

/** Refuses unknown words and flags before help or the version is shown, which would hide a typing error. Throws `bad_usage`. */
function refuseUnknown(words: readonly string[], {flags, unknownFlags}: CommandLine): void {
	const command = findCommand(words)?.command;
	refuseUnknownFlag(unknownFlags, [...(command?.flags ?? []), ...globalFlags]);
	refuseUnknownWords(words);
	if (command) {
		refuseStrayFlags(command, {unknownFlags, flags});
	}
}

/** The command that was typed. The value of an unknown flag is no command, so the flag is named first. */
function matchTyped({words, unknownFlags}: CommandLine): ReturnType<typeof matchCommand> {
	try {
		return matchCommand(words);
	} catch (caught) {
		refuseUnknownFlag(unknownFlags, globalFlags);
		throw caught;
	}
}

function sessionFlags(flags: TypedFlags): Session['flags'] {
	return {
		profile: flags.profile,
		home: flags.home,
		demo: flags.demo,
		...(flags.newJournal === true && {newJournal: true}),
		dashboard: flags.tui && !flags.screenReader ? 'allowed' : 'never',
		questions: flags.screenReader && !flags.readOnly ? 'numbered' : undefined,
		readOnly: flags.readOnly,
		ascii: flags.ascii,
	};
}

/** Commands that only look make no profile that is not there. */
function refuseStrayProfile({flags, paths}: Session, {words}: Command): void {
	const starts = words.length === 0 || words[0] === 'gateway';
	if (flags.profile !== undefined && !starts && !existsSync(paths.directory)) {
		throw new Problem('bad_usage', {
			message: `There is no profile "${flags.profile}"`,
			remedy: `Correct the name, or create the profile with \`sluice --profile ${flags.profile}\``,
		});
	}
}

/** A flag nobody knows is a slip of the keyboard, and gets a suggestion; one of another command would be ignored in silence. */
export function refuseStrayFlags(
	command: Command,
	typed: {readonly unknownFlags: readonly string[]; readonly flags: Readonly<Record<string, unknown>>},
): void {
	const own = [...command.flags, ...globalFlags];
	refuseUnknownFlag(typed.unknownFlags, own);
	const stray = flagNames().find(name => !own.includes(name) && isGiven(name, typed.flags[name]));
	if (stray !== undefined) {
		const name = ['sluice', ...command.words].join(' ');
		throw new Problem('bad_usage', {message: `\`${name}\` has no flag ${typedFlag(stray)}`});
	}
}

function refuseUnknownFlag([unknown]: readonly string[], own: readonly FlagName[]): void {
	if (unknown !== undefined) {
		throw new Problem('bad_usage', {message: unknownFlagText(unknown, own)});
	}
}

function isGiven(name: FlagName, value: unknown): boolean {
	const fallback = describeFlag(name).default;
	return value !== undefined && value !== fallback && !(Array.isArray(value) && value.length === 0);
}

function unknownFlagText(name: string, own: readonly FlagName[]): string {
	if (name.length === 1) {
		return `Unknown flag: -${name}; put a command that has flags of its own after --`;
	}

	const meant = name.replace(/^no([A-Z])/u, (_, letter: string) => letter.toLowerCase());
	const suggestion = didYouMean(meant, own) ?? didYouMean(meant, flagNames());
	const known = flagNames().find(flag => flag === suggestion);
	return `Unknown flag: --${hyphenated(name)}${known ? `; did you mean ${typedFlag(known)}?` : ''}`;
}

/** Runs a command with all it gets; answers its exit code. The first stop signal aborts it. */
function runInContext(
	command: Command,
	start: Pick<CommandContext, 'arguments' | 'flags' | 'usageRemedy'> & {
		readonly session: Session;
		readonly output: Pick<CommandContext, 'stdout' | 'stderr' | 'onProblem'>;
	},
): Promise<number> {
	const {session, output, arguments: rest, flags, usageRemedy: remedy} = start;
	const {clock} = session;
	const paths = {...session.paths, typedProfile: session.flags.profile};
	// The commands that a message names are for the profile and the state directory of this one.
	const named = typedFlags(session.flags);
	const nameCommands = (text: string) => withFlags(text, named);
	const stderr = (text: string) => output.stderr(nameCommands(text));
	const print = {stdout: output.stdout, onProblem: output.onProblem, stderr, usageRemedy: remedy};
	return withStopSignal(session, async signal => {
		const ask = (question: string) => confirm(question, signal, clock);
		const talk = {confirm: ask, openDialog: () => openDialog(signal), nameCommands, printExact: output.stderr};
		try {
			return await command.run({arguments: rest, flags, ...print, ...talk, paths, clock, signal}, session);
		} catch (error) {
			return reportProblem(print, toProblem(error));
		}
	});
}

/** Ends with whatever `run` does; the first stop signal aborts it. Commands that drain listen for signals themselves. */
async function withStopSignal({onSignal}: Session, run: (signal: AbortSignal) => Promise<number>): Promise<number> {
	const controller = new AbortController();
	const endListening = onSignal(signal => controller.abort(new Problem('cancelled', {message: `Ended by ${signal}`})));
	// A command may wait for nothing but our timers, for example for the next try of a server.
	const awake = keepProcessAwake();
	try {
		return await run(controller.signal);
	} finally {
		awake.cancel();
		endListening();
	}
}
