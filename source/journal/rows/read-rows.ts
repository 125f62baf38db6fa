import {z} from 'zod';
import {isJsonObject, type JsonObject, parseJson} from '../../util/json-text.ts';
import {errorText} from '../../util/problem.ts';

/** Upper bound of the rows of a read, whatever limit it is given. */
const maxRows = 10_000;

/** A usable LIMIT: SQLite takes a negative number for "all", and PostgreSQL refuses it. */
export function boundedLimit(limit: number): number {
	return Number.isNaN(limit) ? 0 : Math.min(Math.max(0, Math.trunc(limit)), maxRows);
}

/** Reads rows through their schema. One that cannot be read holds up no other: it is left out, and stays in its table. */
export function parseRows<Row>(schema: z.ZodType<Row>, rows: readonly unknown[], leaveOut?: LeaveOut): Row[] {
	return rows.flatMap(row => {
		const result = schema.safeParse(row);
		if (!result.success) {
			leaveOut?.(row);
		}

		return result.success ? [result.data] : [];
	});
}

/** Called with each row that is left out. */
export type LeaveOut = (row: unknown) => void;

/** A row that cannot be read. */
export type UnreadableRow = {readonly table: 'events' | 'calls' | 'decisions'; readonly id: string};

/** The rows that were left out since the journal was opened, each once. */
export type UnreadableRows = {
	readonly of: (table: UnreadableRow['table']) => LeaveOut;
	readonly list: () => readonly UnreadableRow[];
};

/** Beyond these a person knows enough. */
const maxUnreadable = 1000;

const identified = z.object({id: z.string()});

/** Creates an empty list. */
export function createUnreadableRows(): UnreadableRows {
	const found = new Map<string, UnreadableRow>();
	return {
		of: table => row => {
			const {id} = identified.safeParse(row).data ?? {};
			if (id !== undefined && found.size < maxUnreadable) {
				found.set(`${table} ${id}`, {table, id});
			}
		},
		list: () => [...found.values()],
	};
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

/** The result of a transform; an issue of the row where it throws, as for content that cannot be decompressed. */
export function transformed<Result>(context: z.RefinementCtx, transform: () => Result): Result {
	try {
		return transform();
	} catch (caught) {
		context.addIssue({code: 'custom', message: errorText(caught)});
		return z.NEVER;
	}
}

/** Why a row is set aside. */
export const unreadableReason = 'its row in the journal cannot be read, and is kept whole';

/** The keys of a delivery target in a record. */
export const extraKeys = z.custom<JsonObject>(isJsonObject);

/** Destinations in a record. */
export const destinations = z.array(z.object({target: z.string(), extra: extraKeys}));

/** The value of a JSON column, for the schema that follows; invalid JSON becomes undefined, which no schema accepts. */
export function jsonColumn(text: string): unknown {
	return parseJson(text);
}
