import {type z} from 'zod';
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

/** The same for rows that were read. */
export function parseRows<Row>(schema: z.ZodType<Row>, rows: readonly unknown[]): Row[] {
	try {
		return rows.map(row => schema.parse(row));
	} catch (caught) {
		throw toProblem(caught, 'storage_unavailable');
	}
}

/** The value of a JSON column, for the schema that follows; invalid JSON becomes undefined, which no schema accepts. */
export function jsonColumn(text: string): unknown {
	return parseJson(text);
}
