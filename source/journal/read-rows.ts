import {type z} from 'zod';
import {parseJson} from '../util/json-text.ts';
import {toProblem} from '../util/problem.ts';

/** No read answers more rows than this, whatever it is asked for. */
const mostRows = 10_000;

/** A usable LIMIT: SQLite takes a negative number for "all". */
export function boundedLimit(limit: number): number {
	return Number.isNaN(limit) ? 0 : Math.min(Math.max(0, Math.trunc(limit)), mostRows);
}

/** Reads rows through their schema. What cannot be read, or does not fit, is `storage_unavailable`. */
export function readRows<Row>(schema: z.ZodType<Row>, read: () => readonly unknown[]): Row[] {
	try {
		return read().map(row => schema.parse(row));
	} catch (caught) {
		throw toProblem(caught, 'storage_unavailable');
	}
}

/** The value of a column that holds JSON, for the schema that follows; invalid JSON is undefined, which fits no schema. */
export function jsonColumn(text: string): unknown {
	return parseJson(text);
}
