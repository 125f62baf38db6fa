import {type DatabaseSync} from 'node:sqlite';
import {z} from 'zod';
import {type IdQuery, type IdSlice, type NamedRow} from '../rows/id-slices.ts';
import {jsonColumn, readRows} from '../rows/read-rows.ts';

/** Looks through one slice of the ids of a table: ends of ids have no index, and what waits behind a look at all of them waits too long. */
export type LookUpIds = (query: IdQuery) => IdSlice;

/** A slice takes about 4 ms. */
const idsPerSlice = 10_000;

const tables: Readonly<Record<NamedRow, string>> = {event: 'events', run: 'runs', call: 'calls'};

const sliceRow = z.object({
	count: z.number(),
	lowest: z.string().nullable(),
	ids: z.string().transform(jsonColumn).pipe(z.array(z.string())),
});

/** Sorts after every id. */
const end = '\u{10FFFF}';

/** Prepares the statements. Nothing but the index of the ids is read. */
export function createIdLookup(database: DatabaseSync): LookUpIds {
	const prepare = (table: string) =>
		database.prepare(`
			SELECT count(*) AS count, min(id) AS lowest,
				json_group_array(id) FILTER (WHERE substr(id, 1, ?3) = ?1 OR substr(id, -?3) = ?1) AS ids
			FROM (SELECT id FROM ${table} WHERE id < ?2 ORDER BY id DESC LIMIT ${idsPerSlice})
		`);
	const statements = {event: prepare(tables.event), run: prepare(tables.run), call: prepare(tables.call)};
	return ({of, part, before = end}) => {
		const [slice] = readRows(sliceRow, () => statements[of].all(part, before, Array.from(part).length));
		const {count = 0, lowest = null, ids = []} = slice ?? {};
		return {ids, ...(count === idsPerSlice && lowest !== null && {next: lowest})};
	};
}
