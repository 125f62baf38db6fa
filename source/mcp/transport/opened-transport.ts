import {type Transport} from '@modelcontextprotocol/client';
import {type Clock} from '../../util/clock.ts';
import {type Problem} from '../../util/problem.ts';
import {type ServerLogin} from './authorized-fetch.ts';
import {type ServerLog} from './server-log.ts';

/** Options for the transports of one server. */
export type TransportOptions = {
	readonly clock: Clock;
	/** Replaces variable references; called at connect time only, and its results are never stored. */
	readonly expand: (text: string) => string;
	/** The environment of this process; children inherit part of it. */
	readonly environment: Readonly<Record<string, string | undefined>>;
	/** Receives the values of `env_file`: secrets that are masked from then on. */
	readonly learn: (secret: string) => void;
	/** Receives the names of the variables of `env_file` at each start. */
	readonly noteFileVariables?: (names: readonly string[]) => void;
	readonly log: ServerLog;
	readonly guard: () => (group: number) => () => void;
	/** The login of the server, if it has one. */
	readonly login?: ServerLogin | undefined;
};

/** A transport that is ready to start, with the facts that the protocol does not carry. */
export type OpenedTransport = {
	readonly transport: Transport;
	/** The end of the process, or `call_failed` if it was ended for its output; undefined without a process or while it runs. */
	readonly ended: () => Problem | undefined;
	/** Calls back when the server no longer responds on its listening stream: it went away, or forgot the session. */
	readonly whenUnreachable: (callback: (message: string) => void) => void;
	/** Ends the session at the server, then closes the transport and everything below it. Never rejects. */
	readonly close: (signal: AbortSignal) => Promise<void>;
};
