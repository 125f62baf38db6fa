import {z} from 'zod';
import {Problem} from '../../util/problem.ts';
import {type QuotaBlock, type QuotaQuery} from '../operations/operation-values.ts';
import {databaseTime} from './node-names.ts';
import {type Query, readRows} from '../tables/query.ts';

/**
The part of each route's quota that is taken in its window, by all gateways of the journal together (docs/postgresql.md, Several machines), by the clock of
the database. A window begins with the first request after the one before, whose row it takes.
*/
export type QuotaTable = {
	/** Grants a block to one gateway. Its unused rest is lost: nobody gives back requests that another could already have been refused. */
	readonly takeBlock: (route: string, query: QuotaQuery) => Promise<QuotaBlock>;
};

const [limit, wanted, window] = ['$2::bigint', '$3::bigint', '$4::bigint'];

/** A tenth of the limit, less and less towards its end, and at least what is waited for: no gateway has much that others are refused. */
const blockOf = (taken: string) =>
	`least(greatest(${limit} - ${taken}, 0), greatest(${wanted}, least(${limit} / 10, (${limit} - ${taken}) / 4)))`;

/** Either way, as a clock may be set back: a window that seems to begin only after this one would last too long. */
const isOver = `abs(excluded.window_started_at - kept.window_started_at) >= ${window}`;
/** Requests taken of the current window. */
const taken = `(CASE WHEN ${isOver} THEN 0 ELSE kept.taken END)`;

/**
One statement, a transaction of its own: gateways that ask at once get their blocks one after another, and none waits for other writes of one. The
millisecond is that by which rounded times may make the rest of the window longer than it is.
*/
const taking = `
	INSERT INTO quotas AS kept (route, window_started_at, taken, granted)
	SELECT $1, now, block, block FROM (SELECT ${databaseTime} AS now, ${blockOf('0')} AS block) AS asked
	ON CONFLICT (route) DO UPDATE SET
		window_started_at = CASE WHEN ${isOver} THEN excluded.window_started_at ELSE kept.window_started_at END,
		taken = ${taken} + ${blockOf(taken)}, granted = ${blockOf(taken)}
	RETURNING granted, window_started_at + ${window} - 1 - ${databaseTime} AS "leftMilliseconds"
`;

const blockRow: z.ZodType<QuotaBlock> = z.object({granted: z.number(), leftMilliseconds: z.number()});

/** The statement of the table. */
export function createQuotaTable(query: Query): QuotaTable {
	return {
		async takeBlock(route, {limit, wanted, windowMilliseconds}) {
			const maxTaken = Math.min(limit, Number.MAX_SAFE_INTEGER);
			const [block] = await readRows(blockRow, query(taking, [route, maxTaken, wanted, windowMilliseconds]));
			if (!block) {
				throw new Problem('storage_unavailable', {detail: 'the database granted nothing'});
			}

			return block;
		},
	};
}
