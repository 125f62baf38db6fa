import {type Transport} from '@modelcontextprotocol/client';
import {type Clock} from '../../util/clock.ts';
import {type Problem} from '../../util/problem.ts';
import {type ServerLogin} from './authorized-fetch.ts';
import {type ServerLog} from './server-log.ts';

/** What transports of one server are opened with. */
export type TransportOptions = {
	readonly clock: Clock;
	/** Replaces variable references; called at connect time only, its results are never kept. */
	readonly expand: (text: string) => string;
	/** The environment of this process, of which children get a part. */
	readonly environment: Readonly<Record<string, string | undefined>>;
	readonly log: ServerLog;
	readonly guard: () => (group: number) => () => void;
	/** The login of the server, when it wants one. */
	readonly login?: ServerLogin | undefined;
};

/** A transport that is ready to be started, and what is known about it beside the protocol. */
export type OpenedTransport = {
	readonly transport: Transport;
	/** How the process ended, when it is one and it has. */
	readonly ended: () => Problem | undefined;
	/** Calls back when the server no longer answers its listening stream: it went away, or forgot the session. */
	readonly whenUnreachable: (callback: (message: string) => void) => void;
	/** Ends the session at the server, then the transport and everything below it. Never rejects. */
	readonly close: (signal: AbortSignal) => Promise<void>;
};
