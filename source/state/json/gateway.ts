import {type JsonObject} from '../../util/json-text.ts';

/** That everything is held: since when, in milliseconds since the epoch, by whom and why. `hash` names it for the release. */
export type HeldJson = {
	readonly since: number;
	readonly by: string;
	readonly reason: string;
	readonly hash: string;
};

/** One thing that a release lets go on. */
export type HeldWorkJson = {
	readonly kind: 'call' | 'sampling' | 'elicitation';
	readonly server: string;
	readonly tool: string;
	/** Its origin, in words. */
	readonly origin: string;
	/** Secrets are masked. Null where there are none, or too much waits to send them all. */
	readonly arguments: JsonObject | null;
	readonly cut_bytes: number;
	readonly masked_values: number;
	readonly marked_characters: number;
};

/** Gateway status. Only add fields: clients of another protocol number read it. */
export type StatusJson = {
	readonly version: string;
	readonly pid: number;
	readonly profile: string;
	/** Base address of the webhook listener. */
	readonly webhook_url: string | null;
	readonly endpoint?: {
		readonly state: 'off' | 'listening' | 'failed';
		readonly url?: string;
		readonly reason?: string;
	};
	readonly uptime_s?: number;
	readonly waiting?: {
		readonly approvals: number;
		readonly questions: number;
		readonly proposals: number;
		readonly uncertain: number;
		readonly inbox: number;
		readonly logins: number;
		readonly failed_deliveries: number;
	};
	/** `need`: those that want a login, failed, or wait for their next attempt. */
	readonly servers?: {readonly connected: number; readonly total: number; readonly need: number};
	readonly routes?: {readonly served: number; readonly failed: number};
	readonly held?: HeldJson | null;
	/** The reason that the journal cannot be used or written. */
	readonly journal_fault?: string | null;
	/** The state of the journal, since when, in milliseconds since the epoch, the number of ends and claims that wait for it, and of rows that lists leave out. */
	readonly journal?: {
		readonly state: 'open' | 'refusing' | 'away';
		readonly since: number;
		readonly waiting: number;
		readonly unreadable?: number;
	};
	/** The name of this gateway: `journal.node`, else that of the host. */
	readonly node?: string;
	/** The gateways of a journal that is shared, this one included, and how long ago each gave a sign, in whole seconds. */
	readonly nodes?: ReadonlyArray<{
		readonly name: string;
		readonly state: 'alive' | 'left' | 'dead';
		readonly seen_s: number;
		readonly version?: string;
	}>;
	/** Chats that carry requests to persons; `elsewhere`: another gateway of the journal holds it. `message` says what is wrong. */
	readonly remote?: ReadonlyArray<{
		readonly profile: string;
		readonly platform: string;
		readonly state: 'connecting' | 'connected' | 'away' | 'rejected' | 'elsewhere' | 'failed';
		readonly message?: string;
	}>;
	/** A stop has begun, and nothing is refused until then, in milliseconds since the epoch. */
	readonly draining?: {readonly until: number} | null;
	/** Seconds of a stop in which nothing is refused yet. */
	readonly drain_delay_s?: number;
	/** Work that a stop waits for. */
	readonly under_way?: {readonly runs: number; readonly calls: number};
	/** The runs under way by what they do: work, wait for a person, or wait for a free slot after that. */
	readonly runs?: {readonly working: number; readonly waiting: number; readonly returning: number};
	/** Limits of the day, with what is spent of them; amounts in US dollars have cents. `ends_at`: the end of the day, in milliseconds since the epoch. */
	readonly limits?: ReadonlyArray<{
		readonly path: string;
		readonly unit: 'tokens' | 'usd' | 'runs' | 'calls';
		readonly spent: number;
		readonly limit: number;
		readonly state: 'counting' | 'near' | 'open' | 'lifted' | 'denied' | 'reached';
		readonly ends_at: number;
	}>;
};

/** Names of one kind. */
export type ReloadedJson = {
	readonly added: readonly string[];
	readonly removed: readonly string[];
	readonly changed: readonly string[];
	readonly unchanged: readonly string[];
};

/** Differences made by a reload, by name: servers, and kinds that older versions do not name. */
export type ReloadJson = {
	readonly added: readonly string[];
	readonly removed: readonly string[];
	readonly reconnected: readonly string[];
	readonly unchanged: readonly string[];
	readonly routes?: ReloadedJson;
	readonly platforms?: ReloadedJson;
	readonly jobs?: ReloadedJson;
	/** The reason that the config.yaml of a profile, or its rules, cannot be used. */
	readonly unusable?: ReadonlyArray<{
		readonly profile: string;
		readonly code: string;
		readonly message: string;
		readonly remedy: string;
		/** The configuration in force instead; absent: all of the former one. With other rules, everything else was applied. */
		readonly in_force?: 'nothing' | 'former-rules' | 'no-tool-calls';
	}>;
};

/** Kinds of names for completion in the shell (docs/cli.md, Conventions). */
export type CompletedKind =
	| 'approval'
	| 'question'
	| 'uncertain'
	| 'run'
	| 'call'
	| 'tool'
	| 'route'
	| 'job'
	| 'rule'
	| 'event'
	| 'delivery';

/** One name or id with its description. */
export type CompletedName = {readonly name: string; readonly summary: string};

/** A fault of the gateway, by the name of its check in doctor. */
export type FaultJson = {readonly check: string; readonly message: string; readonly remedy: string};

/** `gateway setup --json`: the variables that were written to `.env`. */
export type SetUpJson = {readonly variables: readonly string[]};

/** Without a gateway: the gateways that find the hold. */
export type HoldNote = {readonly type: 'hold.stored'; readonly for: 'next-start' | 'every-gateway'};
