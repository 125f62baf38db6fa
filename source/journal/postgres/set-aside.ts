import {type z} from 'zod';
import {partRows, unreadableReason} from '../rows/read-rows.ts';
import {type Query} from './query.ts';

/** Reads rows of a table through their schema; those that cannot be read get the state `unreadable`, with their content as it is. */
export async function setAside<Row>(
	query: Query,
	table: 'runs' | 'answers',
	{schema, rows}: {readonly schema: z.ZodType<Row>; readonly rows: Promise<readonly unknown[]>},
): Promise<Row[]> {
	const {readable, unreadable} = partRows(schema, await rows);
	if (unreadable.length > 0) {
		const column = table === 'runs' ? 'reason' : 'detail';
		const text = `UPDATE ${table} SET state = 'unreadable', ${column} = $1, owner = NULL WHERE sequence = ANY($2)`;
		await query(text, [unreadableReason, unreadable]);
	}

	return readable;
}
