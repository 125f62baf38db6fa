import {type CommandContext} from './command-context.ts';
import {type Completes, type FlagName} from './flag-table.ts';
import {type Session} from './session.ts';

/** One command of the program. Help, completion and dispatch are made from it. */
export type Command = {
	/** The words that name it. */
	readonly words: readonly string[];
	/** The whole line as one types it. */
	readonly usage: string;
	readonly summary: string;
	/** What the help says beside the summary, in lines of at most 100 characters. */
	readonly details?: string;
	/** Its own flags; any other that is not global is refused. */
	readonly flags: readonly FlagName[];
	/** Lines as one types them. */
	readonly examples: readonly string[];
	/** What completion offers for the words behind its name, one after another. */
	readonly takes?: readonly Completes[];
	/** Loads what it needs, and nothing of the other commands. Answers the exit code. */
	readonly run: (context: CommandContext, session: Session) => Promise<number>;
};
