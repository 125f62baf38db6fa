import {type StatePaths} from '../../config/read/state-paths.ts';
import {type Clock} from '../../util/clock.ts';
import {type Problem} from '../../util/problem.ts';
import {type Confirmation, type Dialog} from './dialog.ts';
import {type Completes, type FlagName, type FlagTexts} from './flag-table.ts';
import {type Session} from './session.ts';

/** One command of the program. Help, completion and dispatch are made from it. */
export type Command = {
	/** The words that name it. */
	readonly words: readonly string[];
	/** Other words for the same command: short forms, and the words that other nouns have for the act. */
	readonly aliases?: ReadonlyArray<readonly string[]>;
	/** `main`: `sluice --help` lists it. Absent: the help of its noun alone does. */
	readonly help?: 'main';
	/** The whole line as one types it. */
	readonly usage: string;
	readonly summary: string;
	/** Help beyond the summary, in lines of at most 100 characters. */
	readonly details?: string;
	/** Its own flags; any other that is not global is refused. */
	readonly flags: readonly FlagName[];
	/** The meaning of a flag for this command, if it differs from the table of flags. */
	readonly flagTexts?: FlagTexts;
	/** Lines as one types them. */
	readonly examples: readonly string[];
	/** Completion of the words after its name, in their order. */
	readonly takes?: readonly Completes[];
	/** Loads what it needs, and nothing of the other commands. Answers the exit code. */
	readonly run: (context: CommandContext, session: Session) => Promise<number>;
};

/** All names of a command, as words: its own first. */
export function namesOf({words, aliases = []}: Pick<Command, 'words' | 'aliases'>): ReadonlyArray<readonly string[]> {
	return [words, ...aliases];
}

/** True if a name begins with these words; any does with none. */
export function beginsWith(name: readonly string[], words: readonly string[]): boolean {
	return words.every((word, index) => name[index] === word);
}

/** The usage of a command under one of its names. */
export function usageAs({words, usage}: Pick<Command, 'words' | 'usage'>, name: readonly string[]): string {
	return ['sluice', ...name].join(' ') + usage.slice(['sluice', ...words].join(' ').length);
}

/** Flags as the command line gives them; each command looks at its own. */
export type CommandFlags = {
	/** One JSON document on stdout instead of a table. */
	readonly json?: boolean;
	/** Variables of a new stdio server, `NAME=VALUE`. */
	readonly env?: readonly string[];
	readonly passEnv?: readonly string[];
	/** Folder and file of variables of a new stdio server. */
	readonly cwd?: string;
	readonly envFile?: string;
	/** Headers of a new remote server, `NAME: VALUE`. */
	readonly header?: readonly string[];
	readonly transport?: string;
	/** The trust of a new server; empty where a program is to trust Sluice. */
	readonly trust?: string;
	/** The way in which a program reaches Sluice. */
	readonly stdio?: boolean;
	readonly http?: boolean;
	/** The settings of the project in the working directory, not those of the user. */
	readonly project?: boolean;
	readonly hook?: boolean;
	/** Takes a connection out again. */
	readonly remove?: boolean;
	/** The tools that are registered, separated by commas. */
	readonly tools?: string;
	/** False: a new server is written without a try. */
	readonly probe?: boolean;
	/** The name that a client over stdio claims. */
	readonly client?: string;
	readonly keepTokens?: boolean;
	/** All that was found, without asking which. */
	readonly all?: boolean;
	/** False: the setup leaves the receiver alone. */
	readonly webhooks?: boolean;
	readonly host?: string;
	readonly port?: number;
	/** The global secret of the receiver. */
	readonly secret?: string;
	/** The model of agent runs. */
	readonly provider?: string;
	readonly model?: string;
	readonly baseUrl?: string;
	readonly apiKeyEnv?: string;
	/** The end of a call that asks while nobody is there. */
	readonly unattended?: string;
	/** Name of the first tool server. */
	readonly server?: string;
	/** A new server wants a login: oauth. */
	readonly auth?: string;
	/** The way of the login: device or browser. */
	readonly flow?: string;
	/** Nothing is connected to. */
	readonly offline?: boolean;
	/** A tool's own name at its server. */
	readonly tool?: string;
	/** A rule that is tried. */
	readonly rule?: string;
	/** The action of a new rule, and the rest of it. */
	readonly deny?: boolean;
	readonly ask?: boolean;
	readonly allow?: boolean;
	readonly origin?: string;
	readonly ignore?: readonly string[];
	readonly reason?: string;
	/** Arguments of a tool call, a JSON object. */
	readonly args?: string;
	/** The person at the command line answers for this one call. */
	readonly approve?: boolean;
	/** The reason for a denial. */
	readonly message?: string;
	/** The answer to a question: values as JSON, or none. */
	readonly values?: string;
	readonly decline?: boolean;
	readonly cancel?: boolean;
	/** The outcome of an uncertain call as a person found it; `repeat` sends it again. */
	readonly happened?: boolean;
	readonly didNotHappen?: boolean;
	readonly repeat?: boolean;
	/** Of the arguments that were read before they are allowed. */
	readonly hash?: string;
	/** The scope of an approval, or the OAuth scope of a new server's login. */
	readonly scope?: string;
	/** Maximum number of rows, newest first. */
	readonly limit?: number;
	/** Prints further rows as they come, until the person ends it. */
	readonly follow?: boolean;
	/** Number of lines, from the end. */
	readonly lines?: number;
	/** An age or a time. */
	readonly since?: string;
	/** An age or a time. */
	readonly until?: string;
	/** The outcome of events. */
	readonly status?: string;
	/** Lines of a log as they are stored. */
	readonly raw?: boolean;
	/** Events of one route only. */
	readonly route?: string;
	/** Event types a subscription accepts, separated by commas. */
	readonly events?: string;
	/** Template of a subscription's prompt. */
	readonly prompt?: string;
	/** Delivery target of a subscription. */
	readonly deliver?: string;
	readonly deliverChatId?: string;
	/** Where a message about a failure goes; names separated by commas. */
	readonly onFailure?: string;
	/** Deliver the rendered prompt without an agent. */
	readonly deliverOnly?: boolean;
	readonly description?: string;
	/** Keys of a subscription's `deliver_extra`, `KEY=VALUE`. */
	readonly extra?: readonly string[];
	/** Signature preset of a subscription. */
	readonly preset?: string;
	/** The variable that holds a subscription's secret. */
	readonly secretEnv?: string;
	readonly set?: readonly string[];
	/** Filters of a subscription, as JSON. */
	readonly filter?: string;
	readonly script?: string;
	/** The key of a subscription's `coalesce`. */
	readonly coalesce?: string;
	/** The new name of a job. */
	readonly name?: string;
	/** When a job runs. */
	readonly schedule?: string;
	readonly timeZone?: string;
	/** Names separated by commas. */
	readonly skills?: string;
	readonly toolsets?: string;
	/** The scheduled job a subscription fires. */
	readonly cronJob?: string;
	/** The profile that serves a subscription. */
	readonly routeProfile?: string;
	/** Public address of the receiver. */
	readonly url?: string;
	/** Body of a test event. */
	readonly payload?: string;
	/** Show what a route would do, and do nothing. */
	readonly dryRun?: boolean;
	/** The stored event that is tried. */
	readonly event?: string;
	/** Prints the file in place of writing it. */
	readonly print?: boolean;
	/** The state directory is deleted, too. */
	readonly purge?: boolean;
	/** The person at the command line has said yes already. */
	readonly yes?: boolean;
	/** Form of the lines of `gateway run`. */
	readonly log?: string;
};

/** The addresses on which the gateway of a profile may listen. */
export type ControlSockets = Pick<StatePaths, 'controlSocket'> &
	Partial<Pick<StatePaths, 'multiplexer'>> & {
		/** The profile that was typed: lists have its rows alone, the default one's too. */
		readonly typedProfile?: string | undefined;
	};

/** The context of every command. `arguments` are the words after its name. */
export type CommandContext = {
	readonly arguments: readonly string[];
	/** The remedy of a wrong use: the help of the command. */
	readonly usageRemedy?: string | undefined;
	readonly flags: CommandFlags;
	/** Results, and nothing else. */
	readonly stdout: (text: string) => void;
	/** Takes the problem for which a command could not be done: with `--json` it is the document, unless the command printed one. */
	readonly onProblem?: (problem: Problem) => void;
	/** Messages for the person. */
	readonly stderr: (text: string) => void;
	/** The same with every character as it is: what a person is asked to allow is not changed, not even in the commands that it names. */
	readonly printExact: (text: string) => void;
	/** A text of a result with the flags of this start in the commands that it names; messages get them by themselves. */
	readonly nameCommands: (text: string) => string;
	/** Asks the person a question. */
	readonly confirm: (question: string) => Promise<Confirmation>;
	/** Opens a longer conversation; undefined when nobody can be asked. */
	readonly openDialog: () => Dialog | undefined;
	readonly paths: ControlSockets;
	readonly clock: Clock;
	/** Aborts when the person ends the command. */
	readonly signal: AbortSignal;
};

/** The same context for a file that serves several commands and looks at the last word of their name. */
export function withAction(context: CommandContext, action: string): CommandContext {
	return {...context, arguments: [action, ...context.arguments]};
}

/** The result of a command (docs/cli.md, Conventions): done, failed, not understood. */
export type ExitCode = 0 | 1 | 2;

/** Milliseconds before a silent command says that it still waits. */
const silenceMilliseconds = 10_000;

/** Waits for the work. When it takes long, says on stderr what for, and the line that `hint` gives. */
export async function reportWaiting<Value>(
	{clock, stderr}: Pick<CommandContext, 'clock' | 'stderr'>,
	awaited: string,
	work: Promise<Value>,
	hint?: () => string | undefined,
): Promise<Value> {
	const timer = clock.after(silenceMilliseconds, () => {
		const line = hint?.();
		stderr(`Waiting for ${awaited} … Ctrl-C ends it.\n${line === undefined ? '' : `${line}\n`}`);
	});
	try {
		return await work;
	} finally {
		timer.cancel();
	}
}
