import {type deliveryFields, type failedDeliveryFields} from '../entities/delivery.ts';
import {type eventFields} from '../entities/event.ts';
import {type JsonDocument, type JsonRow} from '../entities/json-kind.ts';
import {type routeFields} from '../entities/route.ts';
import {type runFields} from '../entities/run.ts';
import {type TimeUse} from '../trace.ts';
import {type EventStatus} from '../work-event.ts';
import {type DecisionJson, type StoredCallJson} from './call.ts';

/** Selects events. Times are milliseconds since the epoch. */
export type EventFilter = {
	readonly route?: string;
	readonly status?: EventStatus;
	readonly since?: number;
	readonly until?: number;
};

/** `events list --json`, one row. */
export type EventRowJson = JsonRow<typeof eventFields>;

/** One run that an event led to. */
export type EventRunJson = Pick<
	JsonDocument<typeof runFields>,
	'id' | 'state' | 'reason' | 'model' | 'usage' | 'answer' | 'node'
> & {
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

/** A file that came with an event. `filename` and `content_type` are untrusted text. */
export type EventFileJson = {
	/** Counts from 1. */
	readonly number: number;
	readonly filename: string;
	readonly content_type: string;
	readonly bytes: number;
};

/** A part of such a file. `content` is base64; `next`: where the next part begins, in bytes. */
export type EventFilePartJson = Omit<EventFileJson, 'number'> & {
	readonly content: string;
	readonly next: number | null;
};

/** `events show --json`: the row with what was sent. Headers have their secrets masked; a refused event has no body. */
export type EventDetailJson = Omit<JsonDocument<typeof eventFields>, 'deliveries'> & {
	readonly trace: TraceJson;
	/** Files of the body; `sluice events file` writes one. */
	readonly files: readonly EventFileJson[];
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
	readonly outcome: 'delivered' | 'failed' | 'outcome_uncertain' | 'retrying';
	readonly reason: string | null;
};

/** The states that `deliveries list --status` takes. */
export const deliveryStates = ['pending', 'sending', 'retrying', 'sent', 'failed', 'outcome_uncertain'] as const;

/** `deliveries list --json`, one row. */
export type DeliveryRowJson = JsonRow<typeof deliveryFields>;

/** `deliveries retry|cancel --json`: the state of the message afterwards. */
export type DeliveryEndJson = Pick<DeliveryRowJson, 'id' | 'state' | 'next_at'> & {readonly reason: string | null};

/** A place where deliveries fail since the last one that arrived. Times are milliseconds since the epoch; `reason` is that of the last failure. */
export type FailedDeliveryJson = JsonRow<typeof failedDeliveryFields>;

/** `webhook list --json`, one row, and what to do about it. */
export type RouteRowJson = JsonRow<typeof routeFields> & {
	/** No part of the row that is printed; absent from a gateway of an older version. */
	readonly next_action?: string | null;
};

/** `webhook subscribe --json`. */
export type SubscribedJson = {readonly name: string; readonly url: string; readonly secret: string};

/** `webhook setup --json`. `hook`: the webhook at the provider, or why it is left to the person. */
export type WebhookSetupJson = SubscribedJson & {
	readonly hook: {
		readonly state: 'created' | 'updated' | 'by_hand';
		readonly reason: string | null;
		/** The page at the provider. */
		readonly page: string;
	};
};

/** A confirmation that a person is to see before its address is fetched. */
type ConfirmationJson = {readonly id: string; readonly topic: string; readonly url: string};

/** The end of fetching the address of a confirmation. `unknown`: it does not wait any more. */
export type ConfirmationEndJson = {
	readonly outcome: 'confirmed' | 'failed' | 'unknown';
	readonly reason: string | null;
};

/** The end of a handshake window. `closed`: nothing came in its time. */
export type HandshakeEndJson =
	| {readonly outcome: 'proposed'; readonly proposal: ConfirmationJson; readonly reason: null}
	| {
			readonly outcome: ConfirmationEndJson['outcome'] | 'declined' | 'closed';
			readonly proposal: null;
			readonly reason: string | null;
	  };

/** `webhook handshake --json`. */
export type HandshakeJson = {
	readonly route: string;
	readonly topic: string | null;
	readonly outcome: ConfirmationEndJson['outcome'] | 'declined' | 'closed';
	readonly reason: string | null;
};

/** `webhook remove --json`. */
export type RemovedRouteJson = {readonly name: string};
