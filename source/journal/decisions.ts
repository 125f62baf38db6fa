import {type DatabaseSync} from 'node:sqlite';
import {z} from 'zod';
import {type ApprovalOutcomeName, type ApprovalScope} from '../state/approval-event.ts';
import {boundedLimit, jsonColumn, readRows} from './read-rows.ts';
import {type DecisionRecord} from './records.ts';

/** The table of decisions. Writes belong into a group commit. */
export type DecisionTable = {
	readonly insert: (decision: DecisionRecord) => void;
	/** Newest first. */
	readonly list: (query: {readonly limit: number}) => readonly DecisionRecord[];
};

/** The ends of an approval, as a schema takes them. */
export const approvalOutcomes = {
	approved: 'approved',
	denied: 'denied',
	timed_out: 'timed_out',
	no_channel: 'no_channel',
	cancelled: 'cancelled',
} as const satisfies {[Name in ApprovalOutcomeName]: Name};

const decisionRecord: z.ZodType<DecisionRecord> = z.object({
	id: z.string(),
	time: z.number(),
	profile: z.string(),
	server: z.string(),
	tool: z.string(),
	argumentsHash: z.string(),
	outcome: z.enum(approvalOutcomes),
	scope: z
		.enum({once: 'once', session: 'session', always: 'always'} as const satisfies {[Name in ApprovalScope]: Name})
		.optional(),
	by: z.string().optional(),
	message: z.string().optional(),
});

const decisionRow = z.object({record: z.string().transform(jsonColumn).pipe(decisionRecord)});

/** Prepares the statements of the table. */
export function createDecisionTable(database: DatabaseSync): DecisionTable {
	const insert = database.prepare('INSERT INTO decisions (id, time, record) VALUES (?, ?, ?)');
	const list = database.prepare('SELECT record FROM decisions ORDER BY sequence DESC LIMIT ?');
	return {
		insert: decision => void insert.run(decision.id, decision.time, JSON.stringify(decision)),
		list: ({limit}) => readRows(decisionRow, () => list.all(boundedLimit(limit))).map(row => row.record),
	};
}
