import {type DecisionJson, type StoredCallJson} from './call.ts';
import {type TraceJson} from './event.ts';

/** `runs list --json`, one row. Times are milliseconds since the epoch. */
export type RunRowJson = {
	readonly id: string;
	readonly time: number;
	readonly profile: string;
	readonly state: string;
	readonly reason: string | null;
	/** Null for a run that no webhook started, and for one that is not of a scheduled job. */
	readonly route: string | null;
	readonly job: string | null;
	readonly event_id: string | null;
	readonly model: string | null;
	readonly usage: {readonly input_tokens: number; readonly output_tokens: number} | null;
	/** When it came into its state. */
	readonly changed_at: number;
	/** The gateway that began it, where several share the journal. */
	readonly node?: string;
};

/** `runs show --json`. */
export type RunDetailJson = RunRowJson & {
	readonly event: string;
	readonly delivery_id: string;
	readonly prompt: string;
	readonly deliver: string;
	readonly skills: readonly string[];
	/** The run whose conversation it continues. */
	readonly continues: string | null;
	/** The final answer. */
	readonly answer: string | null;
	/** Its first calls and decisions, oldest first. */
	readonly calls: readonly StoredCallJson[];
	readonly decisions: readonly DecisionJson[];
	readonly deliveries: ReadonlyArray<{
		readonly id: string;
		readonly target: string;
		readonly outcome: string;
		readonly detail: string | null;
		readonly time: number;
	}>;
	readonly trace: TraceJson;
};
