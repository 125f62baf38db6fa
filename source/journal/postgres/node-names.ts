import {z} from 'zod';
import {type Clock} from '../../util/clock.ts';
import {Problem} from '../../util/problem.ts';
import {type NodeInstance} from '../rows/node-rows.ts';
import {type Query, readRows} from '../tables/query.ts';

/** The time in milliseconds since the epoch by the clock of the database: those of the nodes may differ. */
export const databaseTime = '(extract(epoch FROM clock_timestamp()) * 1000)::bigint';

/** The number of the lock that the writer under a name holds. */
export function lockOf(name: string): string {
	return `hashtextextended(current_schema() || ' node ' || ${name}, 0)`;
}

const heldRow = z.object({isHeld: z.boolean()});
const timeRow = z.object({now: z.number()});

/** The time by the clock of the database. */
export async function readTime(query: Query): Promise<number> {
	const [time] = await readRows(timeRow, query(`SELECT ${databaseTime} AS now`));
	return time?.now ?? 0;
}

/** The same, and how far it is ahead of the clock of this process. */
export async function measureClock(
	query: Query,
	{now}: Pick<Clock, 'now'>,
): Promise<{readonly time: number; readonly clockAhead: number}> {
	const before = now();
	const time = await readTime(query);
	// Times are whole milliseconds, in columns as everywhere.
	return {time, clockAhead: Math.round(time - (before + now()) / 2)};
}

/**
The lock ends with its connection, which is the one that writes: a gateway that has lost it writes nothing more under this name. A connection that broke
without the server noticing, which may take it half a minute, is ended.
*/
export async function lockName(
	query: Query,
	{name, instanceId}: Pick<NodeInstance, 'name' | 'instanceId'>,
): Promise<void> {
	const tryToLock = async () => {
		const [lock] = await readRows(heldRow, query(`SELECT pg_try_advisory_lock(${nameLock}) AS "isHeld"`, [name]));
		return lock?.isHeld === true;
	};

	const writtenBy = `sluice ${instanceId}`;
	let isHeld = await tryToLock();
	for (let attempt = 0; !isHeld && attempt < maxAttempts; attempt++) {
		await endFormerConnection(query, name, writtenBy);
		isHeld = await tryToLock();
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
const maxAttempts = 5;
const pauseSeconds = 0.1;

/** Ends the connection with which the same instance held the name before, if there is one, and leaves it a moment. */
async function endFormerConnection(query: Query, name: string, writtenBy: string): Promise<void> {
	const text = `
		SELECT pg_terminate_backend(pid) FROM pg_stat_activity JOIN pg_locks USING (pid)
		WHERE locktype = 'advisory' AND (classid::bigint << 32 | objid::bigint) = ${nameLock}
			AND application_name = $2 AND pid <> pg_backend_pid()`;
	await query(text, [name, writtenBy]);
	await query(`SELECT pg_sleep(${pauseSeconds})`);
}
