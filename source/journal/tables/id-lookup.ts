import {z} from 'zod';
import {type IdQuery, type IdSlice, type NamedRow} from '../rows/id-slices.ts';
import {type Query, readRows} from './query.ts';

/** Scans one slice of the ids of a table: ends of ids have no index, and one statement should not read all of them. */
export type LookUpIds = (query: IdQuery) => Promise<IdSlice>;

/** A slice takes about 5 ms. */
const idsPerSlice = 10_000;

const tables: Readonly<Record<NamedRow, string>> = {event: 'events', run: 'runs', call: 'calls', delivery: 'answers'};

const sliceRow = z.object({kind: z.enum(['id', 'lowest']), id: z.string().nullable(), count: z.number()});

/** Sorts after every id. */
const end = '\u{10FFFF}';

/** The statement of each table. Nothing but the index of the ids is read. */
export function createIdLookup(query: Query): LookUpIds {
	return async ({of, part, before = end}) => {
		const text = `
			WITH slice AS (SELECT id FROM ${tables[of]} WHERE id < $2 ORDER BY id DESC LIMIT ${idsPerSlice})
			SELECT 'lowest' AS kind, min(id) AS id, count(*) AS count FROM slice
			UNION ALL SELECT 'id', id, 1 FROM slice
			WHERE substr(id, 1, $3::integer) = $1 OR substr(id, length(id) - $3::integer + 1) = $1`;
		const rows = await readRows(sliceRow, query(text, [part, before, Array.from(part).length]));
		const lowest = rows.find(({kind}) => kind === 'lowest');
		const found = rows.flatMap(({kind, id}) => (kind === 'id' && id !== null ? [id] : []));
		const ids = found.sort().reverse();
		return {ids, ...(lowest?.count === idsPerSlice && lowest.id !== null && {next: lowest.id})};
	};
}
