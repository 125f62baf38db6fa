import {type z} from 'zod';
import {parseRows} from '../rows/read-rows.ts';

/** Carries out one statement with its `$1`, `$2` … and resolves with its rows: of a write on the connection of its transaction, of a read on any. */
export type Query = (text: string, values?: readonly unknown[]) => Promise<readonly unknown[]>;

/** Reads rows through their schema. Rejects with `storage_unavailable` for a row that does not match. */
export async function readRows<Row>(schema: z.ZodType<Row>, rows: Promise<readonly unknown[]>): Promise<Row[]> {
	return parseRows(schema, await rows);
}
