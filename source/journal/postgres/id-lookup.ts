import {z} from 'zod';
import {type IdQuery, type IdSlice, type NamedRow} from '../rows/id-slices.ts';
import {type Query, readRows} from './query.ts';

/** Looks through one slice of the ids of a table: ends of ids have no index, and one statement should not read all of them. */
export type LookUpIds = (query: IdQuery) => Promise<IdSlice>;

/** A slice takes about 5 ms. */
const idsPerSlice = 10_000;

const tables: Readonly<Record<NamedRow, string>> = {event: 'events', run: 'runs', call: 'calls'};

const sliceRow = z.object({count: z.number(), lowest: z.string().nullable(), ids: z.array(z.string())});

/** Sorts after every id. */
const end = '\u{10FFFF}';

/** The statement of each table. Nothing but the index of the ids is read. */
export function createIdLookup(query: Query): LookUpIds {
	return async ({of, part, before = end}) => {
		const [slice] = await readRows(
			sliceRow,
			query(
				`
					SELECT count(*) AS count, min(id) AS lowest,
						coalesce(array_agg(id ORDER BY id DESC) FILTER (WHERE left(id, $3) = $1 OR right(id, $3) = $1), '{}') AS ids
					FROM (SELECT id FROM ${tables[of]} WHERE id < $2 ORDER BY id DESC LIMIT ${idsPerSlice}) AS slice
				`,
				[part, before, Array.from(part).length],
			),
		);
		const {count = 0, lowest = null, ids = []} = slice ?? {};
		return {ids, ...(count === idsPerSlice && lowest !== null && {next: lowest})};
	};
}
