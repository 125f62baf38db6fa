import {z} from 'zod';
import {type JournalLimits} from '../operations/operation-values.ts';
import {oldestDate} from '../rows/spending-rows.ts';
import {type Query, readRows} from '../tables/query.ts';

/** Removes rows over the limits of age and size, a bounded slice at a time. */
export type Retention = {
	/** Removes one slice; true when another may be needed. `now` is milliseconds since the epoch. */
	readonly removeSlice: (now: number, limits: JournalLimits) => Promise<boolean>;
};

/** Rows before these times go because the journal is too large. */
type SizeCutoffs = {readonly refused: number; readonly others: number};

const rowsPerSlice = 500;
const dayMilliseconds = 24 * 60 * 60 * 1000;

/** An accepted event is retained while its run or window is open, and an open run, or one that cannot be read, always (docs/journal.md, Accepted means kept). */
const open = `('queued', 'running', 'inbox', 'unreadable')`;
const closedEvents = `
	NOT EXISTS (SELECT 1 FROM runs WHERE runs.event_id = events.id AND runs.state IN ${open})
	AND NOT EXISTS (SELECT 1 FROM windows WHERE windows.event_id = events.id)
`;
/** Anybody can cause them, so they go before what was accepted. */
const refused = `outcome = 'rejected'`;

/** The rows that may be removed of each table, by their time. Unsent messages are retained. */
const removable = [
	{table: 'events', time: 'time', where: closedEvents},
	{table: 'runs', time: 'changed_at', where: `state NOT IN ${open}`},
	{table: 'calls', time: 'time', where: 'true'},
	{table: 'decisions', time: 'time', where: 'true'},
	{table: 'answers', time: 'changed_at', where: `state NOT IN ('pending', 'sending', 'retrying', 'unreadable')`},
];

/** The rows whose content counts towards the size. Files go with their event. */
const measured = [
	...removable,
	{
		table: 'event_files',
		time: 'time',
		where: `EXISTS (SELECT 1 FROM events WHERE events.id = event_files.event_id AND ${closedEvents})`,
	},
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

/** Incarnations of gateways are kept as long as the rows that name them, but no more than so many: one that fails at once may be started again all day. */
const maxGoneNodes = 10_000;
const goneNodes = `state <> 'alive' AND (seen_at < $4 OR seen_at < (
	SELECT seen_at FROM nodes WHERE state <> 'alive' ORDER BY seen_at DESC OFFSET ${maxGoneNodes - 1} LIMIT 1
))`;

const removals = [
	...removable.map(({table, time, where}) => removalOf(table, `${time} < $1 AND ${where}`, time)),
	removalOf('events', `${refused} AND time < $2`, 'time'),
	removalOf('deliveries', 'expires_at <= $3', 'expires_at'),
	// Their windows are over long since; the route may be gone.
	removalOf('quotas', `window_started_at < $3 - ${dayMilliseconds}`, 'window_started_at'),
	// For a day a late answer learns how a request had ended.
	removalOf('requests', `expires_at < $3 - ${dayMilliseconds} AND left_milliseconds IS NULL`, 'expires_at'),
	removalOf('tasks', 'expires_at <= $3 AND left_milliseconds IS NULL', 'expires_at'),
	removalOf(
		'remote_messages',
		`changed_at < $3 - ${dayMilliseconds} AND (state = 'ended' OR changed_at < $1)`,
		'changed_at',
	),
	removalOf('spending', 'date < $5', 'date'),
	removalOf('day_limits', 'date < $5', 'date'),
	removalOf('nodes', goneNodes, 'seen_at'),
];

/** One statement, so that a slice is one transaction. */
const removal = `
	WITH ${removals.map((text, index) => `removed_${index} AS (${text})`).join(', ')}
	SELECT ${removals.map((_, index) => `(SELECT count(*) FROM removed_${index})`).join(' + ')} AS count
`;

/** No less than the content needs, and known without reading it. */
const fileSize = `SELECT ${measured.map(({table}) => `pg_total_relation_size('${table}')`).join(' + ')} AS count`;

/** The time up to which these rows have to go to be rid of so many bytes, and a millisecond. Reads only the rows that go, oldest first. */
const cutoffOf = (rows: string, bytes: string) => `(
	SELECT time + 1 FROM (
		SELECT time, sum(bytes) OVER (ORDER BY time ROWS UNBOUNDED PRECEDING) AS passed FROM (${rows}) AS rows
	) AS sums
	WHERE passed >= ${bytes} ORDER BY time LIMIT 1
)`;

const refusedRows = `SELECT time, bytes FROM events WHERE ${refused}`;
const otherRows = measured
	.map(({table, time, where}) => {
		const isOther = table === 'events' ? `NOT (${refused}) AND ${where}` : where;
		return `(SELECT ${time} AS time, bytes FROM ${table} WHERE ${isOther} ORDER BY ${time})`;
	})
	.join(' UNION ALL ');

/**
The cutoffs for $1 bytes; $2 where everything has to go. Files do not shrink when rows are removed, so what counts is the content. One statement
sees the journal at one time, whatever other gateways remove meanwhile.
*/
const cutoffsText = `
	SELECT CASE WHEN excess > 0 THEN coalesce(${cutoffOf(refusedRows, 'excess')}, $2) ELSE 0 END AS refused,
		CASE WHEN excess > refused THEN coalesce(${cutoffOf(otherRows, 'excess - refused')}, $2) ELSE 0 END AS others
	FROM (
		SELECT ${measured.map(({table}) => `(SELECT coalesce(sum(bytes), 0) FROM ${table})`).join(' + ')} - $1 AS excess,
			(SELECT coalesce(sum(bytes), 0) FROM events WHERE ${refused}) AS refused
	) AS content
`;

const countRow = z.object({count: z.number()});
const cutoffsRow: z.ZodType<SizeCutoffs> = z.object({refused: z.number(), others: z.number()});

/** `query` is that of a connection on which no webhook waits: to measure the content may take a second. Each statement is a transaction. */
export function createRetention(query: Query): Retention {
	/** The size is measured once rows over the age are gone; the slices that follow remove the excess found then. */
	let cutoffs: SizeCutoffs | undefined;
	const remove = async (now: number, maxAgeDays: number): Promise<number> => {
		const oldest = Math.max(0, Math.floor(now - maxAgeDays * dayMilliseconds));
		const times = [
			Math.max(oldest, cutoffs?.others ?? 0),
			cutoffs?.refused ?? 0,
			now,
			oldest,
			oldestDate(now, maxAgeDays),
		];
		return (await readRows(countRow, query(removal, times)))[0]?.count ?? 0;
	};

	return {
		async removeSlice(now, {maxAgeDays, maxBytes}) {
			if ((await remove(now, maxAgeDays)) > 0) {
				return true;
			}

			cutoffs = cutoffs ? undefined : await findCutoffs(query, now, maxBytes);
			return cutoffs !== undefined;
		},
	};
}

/** Undefined when the journal is not too large. */
async function findCutoffs(query: Query, now: number, maxBytes: number): Promise<SizeCutoffs | undefined> {
	const [files] = await readRows(countRow, query(fileSize));
	if (!files || files.count <= maxBytes) {
		return undefined;
	}

	const [cutoffs] = await readRows(cutoffsRow, query(cutoffsText, [Math.floor(maxBytes), now + 1]));
	return cutoffs && cutoffs.refused > 0 ? cutoffs : undefined;
}
