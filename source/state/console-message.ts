import {type BrowserPlace, type ConsoleMode} from './console-state.ts';
import {type GatewayEvent} from './event.ts';
import {type Snapshot} from './snapshot.ts';

/** A console as its client opens it. */
export type ConsoleOptions = {
	readonly mode: ConsoleMode;
	/** The terminal of the client: its claim. */
	readonly terminal: string;
	/** The place where the client opens the browser of the logins it starts. */
	readonly browser: Exclude<BrowserPlace, 'gateway'>;
};

/** A message from the gateway to a console. */
export type ConsoleMessage =
	| {readonly kind: 'opened'; readonly number: number; readonly pid: number}
	/** Replaces everything before it. Also sent to a console that has fallen behind. */
	| {readonly kind: 'snapshot'; readonly snapshot: Snapshot}
	| {readonly kind: 'events'; readonly events: readonly GatewayEvent[]}
	/** Asks whether the console still reads. */
	| {readonly kind: 'check'};
