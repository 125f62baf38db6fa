import {type z} from 'zod';
import {type LeaveOut, parseRows} from '../rows/read-rows.ts';

/** Carries out one statement with its `$1`, `$2` … and resolves with its rows: of a write on the connection of its transaction, of a read on any. */
export type Query = (text: string, values?: readonly unknown[]) => Promise<readonly unknown[]>;

/** Reads rows as `parseRows` does, once they are there. */
export async function readRows<Row>(
	schema: z.ZodType<Row>,
	rows: Promise<readonly unknown[]>,
	leaveOut?: LeaveOut,
): Promise<Row[]> {
	return parseRows(schema, await rows, leaveOut);
}

/** PostgreSQL stores no U+0000 in a text, and a sender may write it: U+001A and a digit stand for both. */
const mark = '\u001A';

/** A text as PostgreSQL can store it. Records need none of this: JSON escapes both characters. */
export function storedText(text: string): string {
	return text.includes('\0') || text.includes(mark)
		? text.replaceAll(mark, `${mark}1`).replaceAll('\0', `${mark}0`)
		: text;
}

/** The text as it was before. */
export function readText(text: string): string {
	return text.includes(mark) ? text.replaceAll(`${mark}0`, '\0').replaceAll(`${mark}1`, mark) : text;
}
