import {type ReadWhole, type Send} from './command.ts';
import {type BrowserPlace, type ConsoleMode} from './console-state.ts';
import {type GatewayEvent} from './event.ts';

/** A person's place at a gateway: the dashboard in its process, one that is attached to it, or numbered questions. */
export type Console = {
	/** From 1, in the order of opening. Decisions name it: `console:1`. */
	readonly number: number;
	readonly send: Send;
	readonly readWhole: ReadWhole;
	/** Whether its window still reads. One that does not is nobody who can be asked, until it reads again. */
	readonly setPresence: (presence: 'present' | 'absent') => void;
	/** The person has left. A second call does nothing. */
	readonly close: () => void;
};

/** Opens a console. `show` takes the answers to its own questions (`view.…`), which no other console gets. */
export type OpenConsole = (options: {
	readonly mode: ConsoleMode;
	readonly show: (event: GatewayEvent) => void;
	/** Absent: from the gateway's process. */
	readonly browser?: BrowserPlace;
	/** What commands without a profile are for; absent: the gateway's first one. */
	readonly profile?: string;
}) => Console;
