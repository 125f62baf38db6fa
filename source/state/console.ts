import {type GatewayClient} from './gateway-call.ts';
import {type BrowserPlace, type ConsoleMode} from './console-state.ts';

/** The presence of a person at a gateway: the dashboard in its process, one that is attached to it, or numbered questions. A call without a profile is for that of the console. */
export type Console = Pick<GatewayClient, 'call'> & {
	/** From 1, in the order of opening. Decisions name it: `console:1`. */
	readonly number: number;
	/** Sets the presence of its window. An absent one, which does not read, cannot be asked until it reads again. */
	readonly setPresence: (presence: 'present' | 'absent') => void;
	/** The person has left. A second call does nothing. */
	readonly close: () => void;
};

/** Opens a console. */
export type OpenConsole = (options: {
	readonly mode: ConsoleMode;
	/** Absent: from the gateway's process. */
	readonly browser?: BrowserPlace;
	/** The profile of calls that name none; absent: the first one of the gateway. */
	readonly profile?: string;
}) => Console;
