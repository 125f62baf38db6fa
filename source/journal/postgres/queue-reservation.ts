import {randomUUID} from 'node:crypto';
import {z} from 'zod';
import {type Clock, type Timer} from '../../util/clock.ts';
import {type OperationName, type StorageRequest} from '../operations/operations.ts';
import {isAbandoned, type Owner} from '../rows/node-rows.ts';
import {type Query, readRows} from '../tables/query.ts';
import {type AcceptedEvent} from './write-events.ts';

/**
The places that this gateway has reserved in the queue, so that all gateways together accept no more runs than `agent.max_queued_runs` (docs/deployment.md,
Several machines). An accept takes from a row of its gateway, in the transaction that queues the run, so the waiting runs and the reservation change together.
*/
export type QueueReservation = {
	/** Reserves places for these events, as far as there are any, where those that are reserved are too few. Outside a transaction. */
	readonly reserve: (events: readonly AcceptedEvent[]) => Promise<void>;
	/** The reserved places, and the number of runs that waited when they were granted, with what others had reserved. */
	readonly reserved: () => {readonly owner: string; readonly places: number; readonly waiting: number};
	/** So many runs were queued in reserved places. */
	readonly use: (runs: number) => void;
	/** Takes places for so many runs from the row; false when they are no longer reserved. Inside the transaction that queues them. */
	readonly take: (runs: number) => Promise<boolean>;
	/** These requests were carried out: some queue runs without a place, and some free places. */
	readonly note: (requests: readonly StorageRequest[]) => void;
	/** Forgets the reserved places: the next events reserve new ones in their place. */
	readonly forget: () => void;
	readonly close: () => void;
};

/** Unused places are given back after so long: half of the second within which others can have them. */
const unusedMilliseconds = 500;
/** While the queue is full, the rows are read again after so long. */
const fullMilliseconds = 1000;

/** Writes that queue a run whatever the limit: the places that were reserved before may be too many now. */
const growing: ReadonlySet<OperationName> = new Set(['claimJob', 'queueRun', 'requeueRun']);
/** Writes by which runs leave the queue. */
const freeing: ReadonlySet<OperationName> = new Set(['moveQueuedRuns', 'undoAccept', 'undoClaim']);

/**
Blocks are reserved one after the other: only so does the statement that follows see all that others have. Its row need not be on disk by itself, as an
accept that takes from it brings it there.
*/
const locking = `
	SELECT pg_advisory_xact_lock(hashtextextended(current_schema() || ' queue reservations', 0)),
		set_config('synchronous_commit', 'off', true)`;

/**
Replaces what was reserved before: by as much as is wanted at once, or a tenth of what is free where that is more. The count ends at the limit: a long queue
is not counted to its end. Reservations of dead gateways are free; that of one whose accept is under way is left alone.
*/
const reserving = `
	WITH gone AS (
		DELETE FROM queue_reservations WHERE owner IN (
			SELECT owner FROM queue_reservations WHERE owner <> $1 AND ${isAbandoned} FOR UPDATE SKIP LOCKED
		) RETURNING places
	), waiting AS MATERIALIZED (
		SELECT (SELECT count(*) FROM (SELECT 1 FROM runs WHERE state = 'queued' LIMIT $2) AS queued)
			+ (SELECT count(*) FROM (SELECT 1 FROM windows LIMIT $2) AS open)
			+ (SELECT coalesce(sum(places), 0)::bigint FROM queue_reservations WHERE owner <> $1)
			- (SELECT coalesce(sum(places), 0)::bigint FROM gone) AS count
	)
	INSERT INTO queue_reservations (owner, places)
	SELECT $1, least(free, greatest($3::bigint, free / 10)) FROM (SELECT greatest($2::bigint - count, 0) AS free FROM waiting) AS free
	ON CONFLICT (owner) DO UPDATE SET places = excluded.places
	RETURNING places, (SELECT count FROM waiting) AS waiting`;

const taking = 'UPDATE queue_reservations SET places = places - $2 WHERE owner = $1 AND places >= $2 RETURNING 1';
const givingBack = 'DELETE FROM queue_reservations WHERE owner = $1';

const grantedRow = z.object({places: z.number(), waiting: z.number()});

type Reserved = {
	readonly owner: string;
	readonly limit: number;
	places: number;
	waiting: number;
	/** When the rows were read and left too few places. */
	refusedAt: number | undefined;
};

type Surroundings = {
	readonly owner: Pick<Owner, 'instanceId'>;
	readonly clock: Pick<Clock, 'now' | 'after'>;
	/** Carries out work while no transaction is under way. */
	readonly between: (work: () => Promise<unknown>) => void;
};

/** Creates it, with nothing reserved. */
export function createQueueReservation(query: Query, {owner, clock, between}: Surroundings): QueueReservation {
	// A command counts as a gateway that is gone: others may take back what it has reserved and not used yet.
	const command = `command ${randomUUID()}`;
	const ownerNow = () => owner.instanceId ?? command;
	let reserved: Reserved | undefined;
	/** Runs are queued by the transaction that is under way whatever the limit. */
	let hasGrown = false;
	let timer: Timer | undefined;
	const giveBackLater = () => {
		timer ??= clock.after(unusedMilliseconds, () => {
			timer = undefined;
			between(giveBack);
		});
	};

	const giveBack = async () => {
		if (reserved?.places !== 0) {
			reserved = undefined;
			await query(givingBack, [ownerNow()]).catch((caught: unknown) => {
				giveBackLater();
				throw caught;
			});
		}
	};

	const forget = () => {
		reserved = undefined;
		hasGrown = false;
	};

	return {
		async reserve(events) {
			hasGrown ||= events.some(({rows: {run, queueLimit}}) => run && queueLimit === undefined);
			const limits = limitsOf(events);
			const [instance, now] = [ownerNow(), clock.now()];
			if (limits.length > 0 && !isEnough(reserved, {owner: instance, limits, now})) {
				giveBackLater();
				const [limit, wanted] = [Math.max(...limits), limits.length];
				const {places, waiting} = await reserveRuns(query, {owner: instance, limit, wanted});
				// Commands come seldom, and each for one event.
				const isRefused = places < wanted && instance !== command;
				reserved = {owner: instance, limit, places, waiting, refusedAt: isRefused ? now : undefined};
			}
		},
		reserved: () => ({owner: ownerNow(), places: reserved?.places ?? 0, waiting: reserved?.waiting ?? 0}),
		use(runs) {
			if (reserved) {
				reserved.places -= runs;
				reserved.waiting += runs;
			}
		},
		take: async runs => runs === 0 || (await query(taking, [ownerNow(), runs])).length > 0,
		note(requests) {
			if (requests.some(({name}) => name === 'enterNode')) {
				// A connection that was lost may have left something under the same name.
				giveBackLater();
			}

			if (hasGrown || requests.some(({name}) => growing.has(name))) {
				forget();
			} else if (requests.some(({name}) => freeing.has(name))) {
				reserved = reserved && {...reserved, refusedAt: undefined};
			}
		},
		forget,
		close: () => timer?.cancel(),
	};
}

/** True if events with these limits need nothing else: there are places for all, or the rows have just been read. */
function isEnough(
	reserved: Reserved | undefined,
	{owner, limits, now}: {readonly owner: string; readonly limits: readonly number[]; readonly now: number},
): boolean {
	if (reserved?.owner !== owner || limits.some(limit => limit !== reserved.limit)) {
		return false;
	}

	const {places, refusedAt} = reserved;
	return places >= limits.length || (refusedAt !== undefined && Math.abs(now - refusedAt) < fullMilliseconds);
}

/** In a transaction of its own, which must be rolled back when it fails. */
async function reserveRuns(
	query: Query,
	{owner, limit, wanted}: {readonly owner: string; readonly limit: number; readonly wanted: number},
): Promise<z.output<typeof grantedRow>> {
	await query('BEGIN ISOLATION LEVEL READ COMMITTED');
	await query(locking);
	const maxRuns = Math.min(limit, Number.MAX_SAFE_INTEGER);
	const [granted] = await readRows(grantedRow, query(reserving, [owner, maxRuns, wanted]));
	await query('COMMIT');
	return granted ?? {places: 0, waiting: limit};
}

/** The limits of those events that need a place. */
export function limitsOf(events: readonly AcceptedEvent[]): readonly number[] {
	return events.flatMap(({rows: {run, queueLimit}}) => (run && queueLimit !== undefined ? [queueLimit] : []));
}
