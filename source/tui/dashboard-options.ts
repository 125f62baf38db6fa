import {type Send, type ReadWhole} from '../state/command.ts';
import {type Store} from '../state/store.ts';
import {type Clock} from '../util/clock.ts';
import {type GuardedStream} from './terminal/stdout-guard.ts';
import {type TerminalOutput} from './terminal/terminal-output.ts';
import {type ThemeName} from './text/theme.ts';

/** How the window looks and what it may do. */
export type DashboardSettings = {
	readonly noColor: boolean;
	readonly ascii: boolean;
	readonly readOnly: boolean;
	/** The theme a person chose before; dark when there was none. */
	readonly theme?: ThemeName;
};

export type DashboardOptions = {
	readonly store: Pick<Store, 'getSnapshot' | 'subscribe'>;
	readonly send: Send;
	/** Reads all of a request from the gateway of this process. */
	readonly readWhole?: ReadWhole;
	readonly clock: Clock;
	readonly stdin: NodeJS.ReadStream;
	/** From `openTerminalOutput`; the store's `hold` is its `hold`. */
	readonly output: TerminalOutput;
	readonly settings: DashboardSettings;
	readonly version: string;
	/** Streams whose stray writes are told to `onStrayLine` instead of drawn over. */
	readonly guarded: readonly GuardedStream[];
	readonly onStrayLine: (line: string) => void;
	/** Called once for a terminal that does not say how far it has come: what it was sent counts as shown. */
	readonly onSilentTerminal: () => void;
	/** Told of every theme a person chooses. */
	readonly saveTheme?: (theme: ThemeName) => void;
	/** Called once, after the terminal was given back. */
	readonly onExit: (end: DashboardEnd) => void;
};

/** How the window ended: closed from outside, or by an error while drawing, to be printed with exit code 1. */
export type DashboardEnd = {readonly kind: 'closed'} | {readonly kind: 'failed'; readonly error: unknown};
