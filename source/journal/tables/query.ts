import {type z} from 'zod';
import {type Owner} from '../rows/node-rows.ts';
import {type LeaveOut, parseRows} from '../rows/read-rows.ts';
import {type Dialect} from './dialect.ts';

/**
Runs one statement with its `$1`, `$2` … and resolves with its rows: of a write within the transaction that is under way, of a read on its own. The text is
PostgreSQL's SQL, as far as `toSqliteText` can rewrite it; the number of different texts is bounded, since each is prepared once.
*/
export type Query = (text: string, values?: readonly unknown[]) => Promise<readonly unknown[]>;

/** The parameters of a query. */
export type Statement = readonly [text: string, values: readonly unknown[]];

/** The engine of a table, and the owner of the rows that are written. */
export type TableAccess = {readonly query: Query; readonly dialect: Dialect; readonly owner: Owner};

/** Reads rows as `parseRows` does, once they are there. */
export async function readRows<Row>(
	schema: z.ZodType<Row>,
	rows: Promise<readonly unknown[]>,
	leaveOut?: LeaveOut,
): Promise<Row[]> {
	return parseRows(schema, await rows, leaveOut);
}
