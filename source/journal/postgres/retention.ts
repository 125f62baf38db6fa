import {z} from 'zod';
import {type JournalLimits} from '../operations.ts';
import {type Query, readRows} from './query.ts';

/** Removes rows over the limits of age and size, a bounded slice at a time. */
export type Retention = {
	/** Removes one slice; true when another may be needed. `now` is milliseconds since the epoch. Call it inside a transaction. */
	readonly removeSlice: (query: Query, now: number, limits: JournalLimits) => Promise<boolean>;
};

/** Rows before these times go because the journal is too large. */
type SizeCutoffs = {readonly refused: number; readonly others: number};

const rowsPerSlice = 500;
const dayMilliseconds = 24 * 60 * 60 * 1000;

/** An accepted event is retained while its run or window is open, and an open run always (docs/webhooks.md, Accepted means kept). */
const open = `('queued', 'running', 'inbox')`;
const closedEvents = `
	NOT EXISTS (SELECT 1 FROM runs WHERE runs.event_id = events.id AND runs.state IN ${open})
	AND NOT EXISTS (SELECT 1 FROM windows WHERE windows.event_id = events.id)
`;
/** Anybody can cause them, so they go before what was accepted. */
const refused = `outcome = 'rejected'`;

/** What may be removed of each table, by the time of its rows. Unsent answers are retained. */
const removable = [
	{table: 'events', time: 'time', where: closedEvents},
	{table: 'runs', time: 'changed_at', where: `state NOT IN ${open}`},
	{table: 'calls', time: 'time', where: 'true'},
	{table: 'decisions', time: 'time', where: 'true'},
	{table: 'answers', time: 'changed_at', where: `state NOT IN ('pending', 'sending')`},
];

/**
Several gateways may remove rows at once: what one of them has locked is left to it, and a row that has just changed is looked at again once it is
locked. The array is read once, so that no slice is larger than it should be.
*/
const removalOf = (table: string, where: string, time: string) => `
	DELETE FROM ${table} WHERE ctid = ANY(ARRAY(
		SELECT ctid FROM ${table} WHERE ${where} ORDER BY ${time} LIMIT ${rowsPerSlice} FOR UPDATE SKIP LOCKED
	)) RETURNING 1
`;

const removals = [
	...removable.map(({table, time, where}) => removalOf(table, `${time} < $1 AND ${where}`, time)),
	removalOf('events', `${refused} AND time < $2`, 'time'),
	removalOf('deliveries', 'expires_at <= $3', 'expires_at'),
];

/** All slices of a turn in one statement: a transaction that others wait for should not wait for the network seven times. */
const removal = `
	WITH ${removals.map((text, index) => `removed_${index} AS (${text})`).join(', ')}
	SELECT ${removals.map((_, index) => `(SELECT count(*) FROM removed_${index})`).join(' + ')} AS count
`;

/** No less than the content needs, and known without reading it. */
const fileSize = `SELECT ${removable.map(({table}) => `pg_total_relation_size('${table}')`).join(' + ')} AS count`;

/** Files do not shrink when rows are removed, so what counts is the content. */
const contentSize = `
	SELECT ${removable.map(({table}) => `(SELECT coalesce(sum(bytes), 0) FROM ${table})`).join(' + ')} AS whole,
		(SELECT coalesce(sum(bytes), 0) FROM events WHERE ${refused}) AS refused
`;

/** The time after which nothing more of these rows has to go to be rid of so many bytes. Reads only the rows that go, oldest first. */
const cutoffOf = (rows: string) => `
	SELECT time + 1 AS count FROM (
		SELECT time, sum(bytes) OVER (ORDER BY time ROWS UNBOUNDED PRECEDING) AS passed FROM (${rows}) AS rows
	) AS sums
	WHERE passed >= $1 ORDER BY time LIMIT 1
`;

const cutoffOfRefused = cutoffOf(`SELECT time, bytes FROM events WHERE ${refused}`);
const cutoffOfOthers = cutoffOf(
	removable
		.map(({table, time, where}) => {
			const isOther = table === 'events' ? `NOT (${refused}) AND ${where}` : where;
			return `(SELECT ${time} AS time, bytes FROM ${table} WHERE ${isOther} ORDER BY ${time})`;
		})
		.join(' UNION ALL '),
);

const countRow = z.object({count: z.number()});
const contentRow = z.object({whole: z.number(), refused: z.number()});

/** What is too large is measured once: the slices that follow remove what was found then. */
export function createRetention(): Retention {
	let cutoffs: SizeCutoffs | undefined;
	return {
		async removeSlice(query, now, {maxAgeDays, maxBytes}) {
			cutoffs ??= await findCutoffs(query, now, maxBytes);
			const oldest = Math.floor(now - maxAgeDays * dayMilliseconds);
			const times = [Math.max(oldest, cutoffs.others), cutoffs.refused, now];
			const [removed] = await readRows(countRow, query(removal, times));
			const isMore = removed !== undefined && removed.count > 0;
			cutoffs = isMore ? cutoffs : undefined;
			return isMore;
		},
	};
}

async function findCutoffs(query: Query, now: number, maxBytes: number): Promise<SizeCutoffs> {
	const [files] = await readRows(countRow, query(fileSize));
	if (!files || files.count <= maxBytes) {
		return {refused: 0, others: 0};
	}

	const [content] = await readRows(contentRow, query(contentSize));
	const excess = content ? content.whole - maxBytes : 0;
	const refusedBytes = content?.refused ?? 0;
	const find = async (statement: string, bytes: number) => {
		const [cutoff] = bytes > 0 ? await readRows(countRow, query(statement, [bytes])) : [{count: 0}];
		return cutoff?.count ?? now + 1;
	};

	return {
		refused: await find(cutoffOfRefused, excess),
		others: await find(cutoffOfOthers, excess - refusedBytes),
	};
}
