import {type Send} from '../state/command.ts';
import {type Store} from '../state/store.ts';
import {type Clock} from '../util/clock.ts';
import {type GuardedStream} from './stdout-guard.ts';
import {type TerminalOutput} from './terminal-output.ts';
import {type ThemeName} from './theme.ts';

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
	readonly clock: Clock;
	readonly stdin: NodeJS.ReadStream;
	/** From `openTerminalOutput`; the store's `hold` is its `hold`. */
	readonly output: TerminalOutput;
	readonly settings: DashboardSettings;
	readonly version: string;
	/** Streams whose stray writes are told to `onStrayLine` instead of drawn over. */
	readonly guarded: readonly GuardedStream[];
	readonly onStrayLine: (line: string) => void;
	/** Told of every theme a person chooses. */
	readonly keepTheme?: (theme: ThemeName) => void;
	/** Called once, after the terminal was given back. */
	readonly onExit: (end: DashboardEnd) => void;
};

/** How the window ended: closed from outside, or by an error while drawing, to be printed with exit code 1. */
export type DashboardEnd = {readonly kind: 'closed'} | {readonly kind: 'failed'; readonly error: unknown};
