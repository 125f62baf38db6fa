import {type DatabaseSync} from 'node:sqlite';
import {type z} from 'zod';
import {type AnswerRow, type RunRow} from '../records.ts';
import {partRows, unreadableReason} from '../rows/read-rows.ts';

/**
Reads rows of a table through their schema; those that cannot be read get the state `unreadable`, with their content as it is, unless somebody has moved
them on since they were found in `state`.
*/
export type SetAside = <Row>(
	schema: z.ZodType<Row>,
	rows: readonly unknown[],
	state: (RunRow | AnswerRow)['state'],
) => Row[];

/** Prepares it for a table. */
export function prepareSetAside(database: DatabaseSync, table: 'runs' | 'answers'): SetAside {
	const column = table === 'runs' ? 'reason' : 'detail';
	const update = database.prepare(
		`UPDATE ${table} SET state = 'unreadable', ${column} = ?, owner = NULL WHERE sequence = ? AND state = ?`,
	);
	return (schema, rows, state) => {
		const {readable, unreadable} = partRows(schema, rows);
		unreadable.forEach(sequence => update.run(unreadableReason, sequence, state));
		return readable;
	};
}
