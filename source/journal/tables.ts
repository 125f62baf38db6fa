import {type DatabaseSync} from 'node:sqlite';
import {type AnswerTable, createAnswerTable} from './answers.ts';
import {type CallTable, createCallTable} from './calls.ts';
import {type DecisionTable, createDecisionTable} from './decisions.ts';
import {type DeliveryTable, createDeliveryTable} from './deliveries.ts';
import {type EventTable, createEventTable} from './events.ts';
import {createJobClaimTable, type JobClaimTable} from './job-claims.ts';
import {type RunTables, createRunTables} from './run-tables.ts';

/** Every table of the journal. */
export type Tables = RunTables & {
	readonly events: EventTable;
	readonly deliveries: DeliveryTable;
	readonly answers: AnswerTable;
	readonly calls: CallTable;
	readonly jobClaims: JobClaimTable;
	readonly decisions: DecisionTable;
};

/** Prepares the statements of all tables. `now` returns milliseconds since the epoch. */
export function createTables(database: DatabaseSync, now: () => number): Tables {
	return {
		...createRunTables(database, now),
		events: createEventTable(database, now),
		deliveries: createDeliveryTable(database),
		answers: createAnswerTable(database),
		calls: createCallTable(database),
		jobClaims: createJobClaimTable(database),
		decisions: createDecisionTable(database),
	};
}
