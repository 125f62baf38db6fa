import {type z} from 'zod';
import {partRows, unreadableReason} from '../rows/read-rows.ts';
import {type OutgoingMessageRow, type RunRow} from '../rows/records.ts';
import {type Query} from './query.ts';

/**
Reads rows of a table through their schema; those that cannot be read get the state `unreadable`, with their content as it is, unless somebody has moved
them on since they were found in `state`.
*/
export async function setAside<Row>(
	query: Query,
	table: 'runs' | 'answers',
	{
		schema,
		rows,
		state,
	}: {
		readonly schema: z.ZodType<Row>;
		readonly rows: Promise<readonly unknown[]>;
		readonly state: (RunRow | OutgoingMessageRow)['state'];
	},
): Promise<Row[]> {
	const {readable, unreadable} = partRows(schema, await rows);
	if (unreadable.length > 0) {
		const column = table === 'runs' ? 'reason' : 'detail';
		const text = `UPDATE ${table} SET state = 'unreadable', ${column} = $1, owner = NULL WHERE sequence = ANY($2) AND state = $3`;
		await query(text, [unreadableReason, unreadable, state]);
	}

	return readable;
}
