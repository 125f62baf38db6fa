import {z} from 'zod';
import {parseJson} from '../../util/json-text.ts';
import {toProblem} from '../../util/problem.ts';

/** The most rows that any read returns, whatever limit it is given. */
const mostRows = 10_000;

/** A usable LIMIT: SQLite takes a negative number for "all", and PostgreSQL refuses it. */
export function boundedLimit(limit: number): number {
	return Number.isNaN(limit) ? 0 : Math.min(Math.max(0, Math.trunc(limit)), mostRows);
}

/** Reads rows through their schema. Throws `storage_unavailable` for a failed read or a row that does not match. */
export function readRows<Row>(schema: z.ZodType<Row>, read: () => readonly unknown[]): Row[] {
	try {
		return parseRows(schema, read());
	} catch (caught) {
		throw toProblem(caught, 'storage_unavailable');
	}
}

/** The same for rows that were read. One that cannot be read holds up no other: it is left out, and stays in its table. */
export function parseRows<Row>(schema: z.ZodType<Row>, rows: readonly unknown[]): Row[] {
	return partRows(schema, rows).readable;
}

/** Rows that can be read, and the numbers of those that cannot, where they have one. */
type PartedRows<Row> = {readonly readable: Row[]; readonly unreadable: readonly number[]};

/** Reads rows through their schema. */
export function partRows<Row>(schema: z.ZodType<Row>, rows: readonly unknown[]): PartedRows<Row> {
	const read = rows.map(row => ({row, result: schema.safeParse(row)}));
	return {
		readable: read.flatMap(({result}) => (result.success ? [result.data] : [])),
		unreadable: read.flatMap(({row, result}) => (result.success ? [] : (numbered.safeParse(row).data?.sequence ?? []))),
	};
}

const numbered = z.object({sequence: z.number()});

/** Why a row is set aside. */
export const unreadableReason = 'its row in the journal cannot be read, and is kept whole';

/** The value of a JSON column, for the schema that follows; invalid JSON becomes undefined, which no schema accepts. */
export function jsonColumn(text: string): unknown {
	return parseJson(text);
}
