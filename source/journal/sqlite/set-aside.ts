import {type DatabaseSync} from 'node:sqlite';
import {type z} from 'zod';
import {partRows, unreadableReason} from '../rows/read-rows.ts';

/** Reads rows of a table through their schema; those that cannot be read get the state `unreadable`, with their content as it is. */
export type SetAside = <Row>(schema: z.ZodType<Row>, rows: readonly unknown[]) => Row[];

/** Prepares it for a table. */
export function prepareSetAside(database: DatabaseSync, table: 'runs' | 'answers'): SetAside {
	const column = table === 'runs' ? 'reason' : 'detail';
	const update = database.prepare(
		`UPDATE ${table} SET state = 'unreadable', ${column} = ?, owner = NULL WHERE sequence = ?`,
	);
	return (schema, rows) => {
		const {readable, unreadable} = partRows(schema, rows);
		unreadable.forEach(sequence => update.run(unreadableReason, sequence));
		return readable;
	};
}
