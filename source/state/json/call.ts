import {type JsonObject} from '../../util/json-text.ts';
import {type Origin} from '../origin.ts';

/** The error of a call (docs/tool-servers.md, Results); the codes are those of the error table. */
export type CallErrorJson = {
	readonly code: string;
	readonly message: string;
	readonly server?: string;
	readonly outcome_uncertain?: true;
	readonly needs_reauth?: true;
};

/** `mcp call --json`. */
export type CallJson =
	| {readonly error: CallErrorJson}
	| {readonly result: string; readonly structuredContent?: JsonObject};

/** One stored tool call. Arguments and answer are cut where they are long; secrets in them are masked. */
export type StoredCallJson = {
	readonly id: string;
	readonly time: number;
	readonly server: string;
	readonly tool: string;
	readonly arguments: JsonObject;
	/** Null while it is under way, or when the gateway stopped during it. */
	readonly outcome: string | null;
	readonly code: string | null;
	readonly ms: number | null;
	/** The id of the rule that allowed or denied it, or had a person asked. */
	readonly rule: string | null;
	/** The result, or the message of the error. */
	readonly answer: string | null;
	readonly node?: string;
};

/** One stored decision about a call, or about a request of a server to the model (`call_id` is null then). */
export type DecisionJson = {
	readonly id: string;
	readonly call_id: string | null;
	readonly time: number;
	/** When a person was asked; null where nobody was. */
	readonly requested_at: number | null;
	readonly server: string;
	readonly tool: string;
	readonly outcome: string;
	readonly scope: string | null;
	readonly by: string | null;
	readonly message: string | null;
	readonly node?: string;
};

/** `calls list --json`, one row. */
export type CallRowJson = Omit<StoredCallJson, 'answer'> & {
	readonly profile: string;
	readonly origin: {readonly kind: string; readonly [name: string]: unknown};
};

/** `calls show --json`: with the whole arguments and what the caller got. */
export type CallDetailJson = CallRowJson & {
	readonly arguments_hash: string;
	readonly sent_bytes: number;
	readonly cut_bytes: number;
	readonly masked_values: number;
	readonly marked_characters: number;
	readonly answer: string | null;
	readonly decision: DecisionJson | null;
	/** A person's decision about an uncertain call. */
	readonly resolution: 'done' | 'not_done' | 'repeated' | null;
	readonly resolved_by: string | null;
};

/** `uncertain list --json`, one row. */
export type UncertainJson = Omit<CallDetailJson, 'outcome' | 'answer' | 'decision' | 'resolution' | 'resolved_by'> & {
	/** The hash that an answer has to carry; no list has it. */
	readonly review_hash?: string;
};

/** The earlier end of an uncertain call; null if the gateway does not know it. */
export type UncertainEndJson = {readonly resolution: 'done' | 'not_done' | 'repeated'; readonly by: string} | null;

/** A stored call for trying rules on. Not for display: it contains secrets. */
export type RecordedCallJson = {
	readonly id: string;
	readonly time: number;
	readonly server: string;
	readonly tool: string;
	readonly arguments: JsonObject;
	readonly origin: Origin;
	readonly readOnly?: true;
	readonly judged?: {readonly fingerprint: string; readonly untrusted?: readonly string[]};
};

/** One page of stored calls, newest first, and where the next one begins. */
export type CallPageJson = {readonly calls: readonly RecordedCallJson[]; readonly next: number | null};
