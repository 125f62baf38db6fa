import {type GatewayConfig} from '../config/gateway-config.ts';
import {type StatePaths} from '../config/state-paths.ts';
import {type ProbeReport} from '../gateway/probe-server.ts';
import {type JsonObject} from '../util/json-text.ts';

/** A profile on the table of a command that looks at it or changes it. */
export type Workbench = {
	readonly paths: StatePaths;
	readonly config: GatewayConfig;
	/** What a variable of `.env` or of the environment stands for; undefined when it is unset. */
	readonly variable: (name: string) => string | undefined;
	/** Replaces references, as the gateway would. */
	readonly expand: (text: string) => string;
	/** Connects a server for a look, with variables that are not written yet. Rejects with the problem of an entry that cannot be used. */
	readonly probe: (server: ProposedServer, signal: AbortSignal) => Promise<ProbeReport>;
};

/** A server that may not be configured yet. */
export type ProposedServer = {
	readonly name: string;
	readonly entry: JsonObject;
	readonly variables?: Readonly<Record<string, string>>;
};

/** Puts the profile of this start on the table. Rejects when its configuration cannot be read. */
export type OpenWorkbench = () => Promise<Workbench>;
