import {type DatabaseSync} from 'node:sqlite';
import {type AnswerTable, createAnswerTable} from './answers.ts';
import {type CallTable, createCallTable} from './calls.ts';
import {type DecisionTable, createDecisionTable} from './decisions.ts';
import {type DeliveryTable, createDeliveryTable} from './deliveries.ts';
import {type EventTable, createEventTable} from './events.ts';
import {createJobClaimTable, type JobClaimTable} from './job-claims.ts';
import {type RunTable, createRunTable} from './runs.ts';
import {type WindowTable, createWindowTable} from './windows.ts';

/** Every table of the journal. */
export type Tables = {
	readonly events: EventTable;
	readonly deliveries: DeliveryTable;
	readonly runs: RunTable;
	readonly windows: WindowTable;
	readonly answers: AnswerTable;
	readonly calls: CallTable;
	readonly jobClaims: JobClaimTable;
	readonly decisions: DecisionTable;
};

/** Opens the tables of a migrated database. */
export function openTables(database: DatabaseSync): Tables {
	return {
		events: createEventTable(database),
		deliveries: createDeliveryTable(database),
		runs: createRunTable(database),
		windows: createWindowTable(database),
		answers: createAnswerTable(database),
		calls: createCallTable(database),
		jobClaims: createJobClaimTable(database),
		decisions: createDecisionTable(database),
	};
}
