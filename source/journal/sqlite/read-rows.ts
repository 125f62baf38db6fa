import {type z} from 'zod';
import {parseJson} from '../../util/json-text.ts';
import {toProblem} from '../../util/problem.ts';

/** The most rows that any read returns, whatever limit it is given. */
const mostRows = 10_000;

/** The record of a row that is one of many: without arguments, where they are large. */
export const smallRecord =
	"CASE WHEN length(record) > 10000 THEN json_set(record, '$.arguments', json('{}')) ELSE record END AS record";

/** A usable LIMIT: SQLite takes a negative number for "all". */
export function boundedLimit(limit: number): number {
	return Number.isNaN(limit) ? 0 : Math.min(Math.max(0, Math.trunc(limit)), mostRows);
}

/** Reads rows through their schema. Throws `storage_unavailable` for a failed read or a row that does not match. */
export function readRows<Row>(schema: z.ZodType<Row>, read: () => readonly unknown[]): Row[] {
	try {
		return read().map(row => schema.parse(row));
	} catch (caught) {
		throw toProblem(caught, 'storage_unavailable');
	}
}

/** The value of a JSON column, for the schema that follows; invalid JSON becomes undefined, which no schema accepts. */
export function jsonColumn(text: string): unknown {
	return parseJson(text);
}
