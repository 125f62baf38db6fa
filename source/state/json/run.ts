import {type runFields} from '../entities/run.ts';
import {type JsonDocument, type JsonRow} from '../entities/json-kind.ts';
import {type DecisionJson, type StoredCallJson} from './call.ts';
import {type TraceJson} from './event.ts';

/** `runs list --json`, one row. Times are milliseconds since the epoch. */
export type RunRowJson = JsonRow<typeof runFields>;

/** `runs show --json`. */
export type RunDetailJson = JsonDocument<typeof runFields> & {
	/** The requests to its model. `ms` is null while one has no answer; tokens and dollars are null where they are not known. */
	readonly model_turns: ReadonlyArray<{
		readonly number: number;
		readonly time: number;
		readonly model: string;
		readonly ms: number | null;
		readonly input_tokens: number | null;
		readonly output_tokens: number | null;
		readonly usd: number | null;
	}>;
	/** The notes of persons, oldest first, each with the turn that got it; null while none did. */
	readonly notes: ReadonlyArray<{
		readonly id: string;
		readonly time: number;
		readonly by: string;
		readonly text: string;
		readonly turn: number | null;
	}>;
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
