import {type TimeUse} from '../trace.ts';
import {type DecisionJson, type StoredCallJson} from './call.ts';

/** `events list --json`, one row. */
export type EventRowJson = {
	readonly id: string;
	readonly time: number;
	readonly route: string;
	readonly event: string;
	readonly delivery_id: string;
	readonly status: number;
	readonly outcome: string;
	readonly reason: string | null;
	readonly ms: number;
	/** The newest run it led to. */
	readonly run: {readonly id: string; readonly state: string} | null;
	/** Outcomes of the resulting messages, newest first. */
	readonly deliveries: ReadonlyArray<{readonly target: string; readonly outcome: string}>;
	/** The gateway that answered it, where several share the journal. */
	readonly node?: string;
};

/** One run that an event led to. */
export type EventRunJson = {
	readonly id: string;
	readonly state: string;
	readonly reason: string | null;
	readonly model: string | null;
	readonly usage: {readonly input_tokens: number; readonly output_tokens: number} | null;
	/** The final answer. */
	readonly answer: string | null;
	readonly node?: string;
	/** Its calls and decisions, oldest first. */
	readonly calls: readonly StoredCallJson[];
	readonly decisions: readonly DecisionJson[];
};

/** The lines of a trace, oldest first, and the uses of the time (docs/dashboard.md, Traces). */
export type TraceJson = {
	readonly lines: ReadonlyArray<{
		readonly time: number;
		/** `request`, `event`, `run`, `approval`, `call` or `delivery`. */
		readonly kind: string;
		readonly state: string;
		/** The tool, the target or the model; may be empty. */
		readonly subject: string;
		readonly facts: readonly string[];
		/** The command that shows or repeats it. */
		readonly command: string | null;
	}>;
	readonly shares: ReadonlyArray<{readonly use: TimeUse; readonly ms: number}>;
};

/** `events show --json`: the row with what was sent. Headers have their secrets masked; a refused event has no body. */
export type EventDetailJson = Omit<EventRowJson, 'deliveries'> & {
	readonly profile: string;
	readonly headers: Readonly<Record<string, string>>;
	/** As text, after its encoding was undone. */
	readonly body: string | null;
	/** The check that authenticated the sender. */
	readonly signature: string | null;
	/** The filter it did not pass. */
	readonly filter: string | null;
	/** Output of the route's script, or its error. */
	readonly script_output: string | null;
	/** The rendered prompt; of a direct delivery, its text. */
	readonly prompt: string | null;
	/** Target of the answer. */
	readonly deliver: string | null;
	readonly trace: TraceJson;
	/** Resulting runs, newest first. */
	readonly runs: readonly EventRunJson[];
	/** Outcomes of the resulting messages, newest first; `detail` is the platform's reply. */
	readonly deliveries: ReadonlyArray<{
		readonly target: string;
		readonly outcome: string;
		readonly state: string;
		readonly detail: string | null;
		readonly time: number;
	}>;
};

/** `events replay --json`: the row that the replay got. */
export type ReplayJson = {
	readonly event_id: string;
	readonly status: number;
	readonly outcome: string;
	readonly reason: string | null;
};

/** `events replay --deliver --json`: how the delivery ended; `reason` is there when it did not end well. */
export type RedeliveryJson = {
	readonly event_id: string;
	readonly outcome: 'delivered' | 'failed' | 'outcome_uncertain';
	readonly reason: string | null;
};

/** Targets with failures since the last delivery that arrived. Times are milliseconds since the epoch; `reason` is that of the last failure. */
export type FailedDeliveryJson = {
	readonly id: string;
	readonly profile: string;
	/** Null when no webhook event led to the messages. */
	readonly route: string | null;
	readonly job: string | null;
	readonly target: string;
	readonly failures: number;
	readonly first_at: number;
	readonly last_at: number;
	readonly reason: string;
	/** For `events replay ID --deliver`. */
	readonly event_id: string | null;
};

/** `webhook list --json`, one row, and what to do about it. */
export type RouteRowJson = {
	readonly name: string;
	readonly url: string;
	readonly profile: string;
	readonly events: readonly string[];
	readonly deliver: string;
	readonly source: 'config' | 'subscription';
	readonly state: 'served' | 'paused' | 'failed' | 'shadowed' | 'off';
	readonly reason: string | null;
	/** No part of the row that is printed; absent from a gateway of an older version. */
	readonly next_action?: string | null;
};
