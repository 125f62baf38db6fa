import {type runFields} from '../entities/run.ts';
import {type JsonDocument, type JsonRow} from '../entities/json-kind.ts';
import {type DecisionJson, type StoredCallJson} from './call.ts';
import {type TraceJson} from './event.ts';

/** `runs list --json`, one row. Times are milliseconds since the epoch. */
export type RunRowJson = JsonRow<typeof runFields>;

/** `runs show --json`. */
export type RunDetailJson = JsonDocument<typeof runFields> & {
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
