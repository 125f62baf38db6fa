import {type callFields, type storedCallFields} from '../entities/call.ts';
import {type decisionFields} from '../entities/decision.ts';
import {type JsonDocument, type JsonRow} from '../entities/json-kind.ts';
import {type uncertainFields} from '../entities/uncertain.ts';
import {type JsonObject} from '../../util/json-text.ts';
import {type Origin} from '../origin.ts';

/** The error of a call (docs/connections.md, Results); the codes are those of the error table. */
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
export type StoredCallJson = JsonRow<typeof storedCallFields>;

/** One stored decision about a call, or about a request of a server to the model (`call_id` is null then). */
export type DecisionJson = JsonRow<typeof decisionFields>;

/** `calls list --json`, one row. */
export type CallRowJson = JsonRow<typeof callFields>;

/** `calls show --json`: with the whole arguments and what the caller got. */
export type CallDetailJson = JsonDocument<typeof callFields> & {
	readonly decision: DecisionJson | null;
	/** A person's decision about an uncertain call. */
	readonly resolution: 'done' | 'not_done' | 'repeated' | null;
	readonly resolved_by: string | null;
};

/** `uncertain list --json`, one row. */
export type UncertainJson = JsonRow<typeof uncertainFields>;

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
