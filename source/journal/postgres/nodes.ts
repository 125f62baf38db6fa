import {z} from 'zod';
import {type Clock} from '../../util/clock.ts';
import {Problem} from '../../util/problem.ts';
import {
	goneMilliseconds,
	nodeRow,
	type NodeFacts,
	type NodeList,
	type NodeIncarnation,
	type Writer,
} from '../rows/node-rows.ts';
import {readVersion} from './schema-version.ts';
import {type Query, readRows} from './query.ts';

/** The gateways of the journal (docs/deployment.md, Several machines), by the clock of the database. Write inside a transaction. */
export type NodeTable = {
	/**
	From now on what is written belongs to this incarnation; an earlier one of the same name is dead. `dead`: another node has said so of this one, and
	nothing was written. Rejects with `storage_unavailable` while a connection of another one has the name.
	*/
	readonly enter: (incarnation: NodeIncarnation, clock: LocalClock) => Promise<'entered' | 'dead'>;
	/** `dead`: another node has said so, and has taken over what this one did. */
	readonly renew: (facts: NodeFacts, clock: LocalClock) => Promise<'alive' | 'dead'>;
	/** Whoever has not renewed within its lease is dead; resolves with the names. */
	readonly judge: () => Promise<readonly string[]>;
	readonly leave: () => Promise<void>;
	readonly list: () => Promise<NodeList>;
};

/** The time in milliseconds since the epoch by the clock of the database: those of the nodes may differ. */
export const databaseTime = '(extract(epoch FROM clock_timestamp()) * 1000)::bigint';

/** The number of the lock that is held by whoever writes under a name. */
export function lockOf(name: string): string {
	return `hashtextextended(current_schema() || ' node ' || ${name}, 0)`;
}

/** The clock of this process. */
type LocalClock = Pick<Clock, 'now'>;

const heldRow = z.object({isHeld: z.boolean()});
const nameRow = z.object({name: z.string()});
const timeRow = z.object({now: z.number()});

/** The statements of the table; `writer` becomes the incarnation that enters. */
export function createNodeTable(query: Query, writer: Writer): NodeTable {
	return {
		async enter({name, incarnation, leaseMilliseconds}, clock) {
			await holdName(query, {name, incarnation});
			// Another version may have changed the tables since this connection was opened.
			await readVersion(query);
			const entered = await query(
				`INSERT INTO nodes (incarnation, name, lease, started_at, seen_at, state)
				SELECT $1, $2, $3, now, now, 'alive' FROM (SELECT ${databaseTime} AS now) AS clock
				ON CONFLICT (incarnation) DO UPDATE SET seen_at = excluded.seen_at WHERE nodes.state = 'alive' RETURNING 1`,
				[incarnation, name, leaseMilliseconds],
			);
			if (entered.length === 0) {
				return 'dead';
			}

			await query(`UPDATE nodes SET state = 'dead' WHERE name = $1 AND incarnation <> $2 AND state = 'alive'`, [
				name,
				incarnation,
			]);
			writer.incarnation = incarnation;
			writer.clockAhead = await measureClock(query, clock);
			return 'entered';
		},
		async renew(facts, clock) {
			writer.clockAhead = await measureClock(query, clock);
			const renewed = await query(
				`UPDATE nodes SET seen_at = ${databaseTime}, facts = $1 WHERE incarnation = $2 AND state = 'alive' RETURNING 1`,
				[JSON.stringify(facts), writer.incarnation],
			);
			return renewed.length > 0 ? 'alive' : 'dead';
		},
		async judge() {
			const judged = await readRows(
				nameRow,
				query(
					`UPDATE nodes SET state = 'dead' WHERE incarnation IN (
						SELECT incarnation FROM nodes
						WHERE state = 'alive' AND incarnation <> $1 AND seen_at + lease < ${databaseTime} FOR UPDATE SKIP LOCKED
					) RETURNING name`,
					[writer.incarnation],
				),
			);
			return judged.map(({name}) => name);
		},
		async leave() {
			await query(
				`UPDATE nodes SET seen_at = ${databaseTime}, state = 'left' WHERE incarnation = $1 AND state = 'alive'`,
				[writer.incarnation],
			);
		},
		async list() {
			const [time] = await readRows(timeRow, query(`SELECT ${databaseTime} AS now`));
			const nodes = await readRows(
				nodeRow,
				query(
					`SELECT name, incarnation, started_at AS "startedAt", seen_at AS "seenAt", state, facts FROM nodes
					WHERE state = 'alive' OR seen_at >= ${databaseTime} - $1::bigint ORDER BY started_at, incarnation`,
					[goneMilliseconds],
				),
			);
			return {now: time?.now ?? 0, nodes};
		},
	};
}

/** How far the clock of the database is ahead of that of this process. */
async function measureClock(query: Query, {now}: LocalClock): Promise<number> {
	const before = now();
	const [time] = await readRows(timeRow, query(`SELECT ${databaseTime} AS now`));
	// Times are whole milliseconds, in columns as everywhere.
	return time ? Math.round(time.now - (before + now()) / 2) : 0;
}

/**
The lock ends with its connection, which is the one that writes: whoever has lost it writes nothing more under this name. A connection that broke
without the server noticing, which may take it half a minute, is ended.
*/
async function holdName(
	query: Query,
	{name, incarnation}: Pick<NodeIncarnation, 'name' | 'incarnation'>,
): Promise<void> {
	const tryToHold = async () => {
		const [lock] = await readRows(heldRow, query(`SELECT pg_try_advisory_lock(${nameLock}) AS "isHeld"`, [name]));
		return lock?.isHeld === true;
	};

	const writtenBy = `sluice ${incarnation}`;
	let isHeld = await tryToHold();
	for (let attempt = 0; !isHeld && attempt < mostAttempts; attempt++) {
		await endFormerConnection(query, name, writtenBy);
		isHeld = await tryToHold();
	}

	if (!isHeld) {
		throw new Problem('storage_unavailable', {
			message: `Another gateway is called ${name} in the journal of this database`,
			remedy: `Stop the other gateway called ${name}, or give this one a name of its own with journal.node in config.yaml`,
		});
	}

	await query(`SELECT set_config('application_name', $1, false)`, [writtenBy]);
}

const nameLock = lockOf('$1');
/** One that ends by itself may have its name no more and its lock still. */
const mostAttempts = 5;
const pauseSeconds = 0.1;

/** Ends the connection with which the same incarnation held the name before, if there is one, and leaves it a moment. */
async function endFormerConnection(query: Query, name: string, writtenBy: string): Promise<void> {
	const text = `
		SELECT pg_terminate_backend(pid) FROM pg_stat_activity JOIN pg_locks USING (pid)
		WHERE locktype = 'advisory' AND (classid::bigint << 32 | objid::bigint) = ${nameLock}
			AND application_name = $2 AND pid <> pg_backend_pid()`;
	await query(text, [name, writtenBy]);
	await query(`SELECT pg_sleep(${pauseSeconds})`);
}
