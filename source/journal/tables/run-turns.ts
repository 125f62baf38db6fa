import {z} from 'zod';
import {boundedLimit} from '../rows/read-rows.ts';
import {type RunRecord} from '../rows/records.ts';
import {movedRow} from '../rows/run-rows.ts';
import {
	freeSlotsOf,
	type MaxRuns,
	nextTurns,
	readOriginName,
	type RouteLimit,
	type RunningCount,
	type StoredSlot,
	type TurnQuery,
	type WaitingOrigin,
} from '../rows/run-turns.ts';
import {readRows, type TableAccess} from './query.ts';
import {setAside} from './set-aside.ts';

/** The turns of origins in the queue, and the slots of routes that have a limit. Write inside a transaction. */
export type RunTurns = {
	/** The next runs to take, in the order of their turns. */
	readonly next: (limit: number, asked?: TurnQuery) => Promise<readonly RunRecord[]>;
	/** The queued runs among these whose route has a slot left. Until the transaction is over, no other gateway counts. */
	readonly admit: (ids: readonly string[], maxRuns: MaxRuns) => Promise<readonly string[]>;
	/** The run of this gateway waits for a person. */
	readonly giveSlotBack: (id: string) => Promise<void>;
	/** Gives the run a slot again; false while its route has none left, and none is given to a queued run before. True again when the write is repeated. */
	readonly takeSlotBack: (id: string, limit?: RouteLimit) => Promise<boolean>;
};

const slotState = z.enum(['held', 'waiting', 'returning'] as const satisfies readonly StoredSlot[]);
const waitingRow: z.ZodType<WaitingOrigin> = z.object({origin: z.string(), first: z.number()});
const runningRow: z.ZodType<RunningCount> = z.object({origin: z.string(), slot: slotState, count: z.number()});
const originRow = z.object({id: z.string(), origin: z.string()});
const slotRow = z.object({slot: slotState});

/** Jumps from one origin to the next in the index `runs_by_origin`, however many runs each has. That of a file begins with the state, else SQLite takes the index of states. */
const waitingText = `
	WITH RECURSIVE listed (origin) AS (
		SELECT min(origin) FROM runs WHERE state = 'queued'
		UNION ALL
		SELECT (SELECT min(later.origin) FROM runs AS later WHERE later.state = 'queued' AND later.origin > listed.origin)
		FROM listed WHERE listed.origin IS NOT NULL
	)
	SELECT origin, (SELECT min(sequence) FROM runs WHERE state = 'queued' AND runs.origin = listed.origin) AS first
	FROM listed WHERE origin IS NOT NULL`;
const runningText = `
	SELECT origin, coalesce(slot, 'held') AS slot, count(*) AS count FROM runs WHERE state = 'running' GROUP BY 1, 2`;

/** The statements of the turns. */
export function createRunTurns({query, dialect, owner}: TableAccess): RunTurns {
	const readRunning = () => readRows(runningRow, query(runningText));
	const take = async (turns: readonly string[]) => {
		const text = `SELECT sequence, record FROM runs WHERE state = 'queued' AND origin = $1 ORDER BY sequence LIMIT $2`;
		const taken = new Map<string, RunRecord[]>();
		let isFound = false;
		for (const [origin, own] of Map.groupBy(turns, one => one)) {
			const found = await query(text, [origin, own.length]);
			const rows = await setAside(query, 'runs', {schema: movedRow, rows: Promise.resolve(found), state: 'queued'});
			taken.set(
				origin,
				rows.map(({record}) => record),
			);
			isFound ||= found.length > 0;
		}

		return {runs: turns.flatMap(origin => taken.get(origin)?.shift() ?? []), isFound};
	};

	return {
		async next(limit, asked = {}) {
			const bounded = {...asked, limit: boundedLimit(limit)};
			for (;;) {
				// A row that another gateway takes in between is counted twice; it only waits for the next turn then.
				const running = await readRunning();
				const waiting = await readRows(waitingRow, query(waitingText));
				const {runs, isFound} = await take(nextTurns({waiting, running}, bounded));
				// Rows that were set aside are in nobody's way any more.
				if (runs.length > 0 || !isFound) {
					return runs;
				}
			}
		},
		async admit(ids, maxRuns) {
			await query(dialect.slotsLock);
			const room = freeSlotsOf(maxRuns, await readRunning(), ['held', 'returning']);
			const text = `SELECT id, origin FROM runs WHERE state = 'queued' AND id = ANY($1)`;
			const found = await readRows(originRow, query(text, [ids]));
			const routes = new Map(found.map(({id, origin}) => [id, readOriginName(origin).route]));
			return ids.filter(id => {
				const route = routes.get(id) ?? '';
				const left = room.get(route) ?? Number.POSITIVE_INFINITY;
				room.set(route, left - 1);
				return left > 0;
			});
		},
		async giveSlotBack(id) {
			const text = `UPDATE runs SET slot = 'waiting' WHERE id = $1 AND state = 'running' AND owner IS NOT DISTINCT FROM $2`;
			await query(text, [id, owner.instanceId]);
		},
		async takeSlotBack(id, limit) {
			await (limit && query(dialect.slotsLock));
			const text = `SELECT coalesce(slot, 'held') AS slot FROM runs WHERE id = $1 AND state = 'running'`;
			const [own] = await readRows(slotRow, query(text, [id]));
			if (!own || own.slot === 'held') {
				return true;
			}

			const free = limit
				? freeSlotsOf(new Map([[limit.route, limit.maxRuns]]), await readRunning(), ['held'])
				: undefined;
			const isFree = free === undefined || [...free.values()].every(left => left > 0);
			await query('UPDATE runs SET slot = $1 WHERE id = $2', [isFree ? null : 'returning', id]);
			return isFree;
		},
	};
}
