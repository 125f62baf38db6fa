import {type SeparatedEntry} from '../../config/secrets/entry-secrets.ts';
import {type GatewayConfig} from '../../config/read/gateway-config.ts';
import {type ProfileChange} from '../../config/edit/profile-change.ts';
import {type ServerConfig} from '../../config/servers/server-entry.ts';
import {type ProbeReport} from '../../gateway/probe-server.ts';
import {type JsonObject} from '../../util/json-text.ts';

/** The configuration of a profile as a command reads or changes it. */
export type ConfigSession = {
	readonly config: GatewayConfig;
	/** What a variable of `.env` or of the environment stands for; undefined when it is unset. */
	readonly variable: (name: string) => string | undefined;
	/** Replaces references, as the gateway would. */
	readonly expand: (text: string) => string;
	/** The name of a configured server, usable or not. Throws `unknown_server` with the one that was probably meant. */
	readonly findServer: (typed: string) => string;
	/** A change of config.yaml and `.env`; nothing is written before it is committed. */
	readonly openChange: () => Promise<ProfileChange>;
	/** Takes the secrets out of an entry, under names that are free in the change. */
	readonly separateSecrets: (server: ProposedServer, change: ProfileChange) => SeparatedEntry;
	/** Connects a configured server for a look, and waits for it no longer than a list does. */
	readonly probeServer: (server: ServerConfig, signal: AbortSignal) => Promise<ProbeReport>;
	/** Connects a server for a look, with variables that are not written yet. Rejects with the problem of an entry that cannot be used. */
	readonly probe: (server: ProposedServer, signal: AbortSignal) => Promise<ProbeReport>;
};

/** A server that may not be configured yet. */
export type ProposedServer = {
	readonly name: string;
	readonly entry: JsonObject;
	readonly variables?: Readonly<Record<string, string>>;
};

/** Puts the profile of this start on the config session. Rejects when its configuration cannot be read. */
export type LoadConfigSession = () => Promise<ConfigSession>;
