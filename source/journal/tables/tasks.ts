import {isAbandoned} from '../rows/node-rows.ts';
import {
	clientColumn,
	maxTakenTasks,
	type NewTask,
	type TaskChange,
	type TaskEnd,
	type TaskName,
	type TaskQuery,
	type TaskRow,
	taskRow,
	type TaskCancellation,
	taskCancellation,
} from '../rows/task-rows.ts';
import {type TimeLeft} from '../rows/request-rows.ts';
import {readRows, type TableAccess} from './query.ts';

/**
Calls that were handed over to their clients as tasks (docs/endpoint.md, Tasks). One gateway at a time looks after a task that has not ended: its owner.
Times are by the clock of the journal. Write inside a transaction.
*/
export type TaskTable = {
	/** Returns the time at which it was made. */
	readonly insert: (task: NewTask, now: number) => Promise<number>;
	/** The call of a task may be sent from now on, by this call alone; false when the task has ended, or another gateway has it. True again when the write is repeated. */
	readonly begin: (id: string, callId: string, now: number) => Promise<boolean>;
	/** The call of a task was not sent: it waits again. */
	readonly release: (id: string, now: number) => Promise<void>;
	readonly change: (id: string, change: TaskChange, now: number) => Promise<void>;
	readonly end: (id: string, end: TaskEnd, now: number) => Promise<void>;
	/** Changes the time of a task of this gateway that has not ended. */
	readonly setTime: (id: string, left: TimeLeft, now: number) => Promise<void>;
	/** Removes a task that was never handed out. */
	readonly remove: (id: string) => Promise<void>;
	/** Makes this gateway the owner of tasks that have none alive. Oldest first. */
	readonly take: (query: TaskQuery, now: number) => Promise<readonly TaskRow[]>;
	/** The task of that client; undefined also when its time is over. */
	readonly find: (name: TaskName, now: number) => Promise<TaskRow | undefined>;
	/** Ends a task whose call is not sent yet; one that has begun is ended by its owner. False for a task that its client does not have. */
	readonly cancel: (name: TaskName, now: number) => Promise<boolean>;
	/** The tasks that this gateway owns. */
	readonly listOwn: (profile: string) => Promise<readonly TaskCancellation[]>;
};

const columns = `id, profile, client, state, created_at AS "createdAt", changed_at AS "changedAt", expires_at AS "expiresAt",
	left_milliseconds AS "left", record AS call, approval, call_id AS "callId", outcome, message,
	EXISTS (SELECT 1 FROM calls WHERE calls.id = tasks.call_id) AS "isCallKnown"`;

/** True for a task whose time is not over, or stands still; its parameter is the time by the clock of the journal. */
const isInTime = (now: string) => `(left_milliseconds IS NOT NULL OR expires_at > ${now})`;

/** The columns of an end besides its own: its result is kept for what is left of the time, which runs again. */
const endedTime = (
	now: string,
) => `expires_at = CASE WHEN left_milliseconds IS NULL THEN expires_at ELSE ${now} + left_milliseconds END,
	left_milliseconds = NULL`;

/** The statements of the table. */
export function createTaskTable(access: TableAccess): TaskTable {
	const {query, owner} = access;
	return {
		...createRowStatements(access),
		...createClientStatements(access),
		async begin(id, callId, now) {
			const text = `UPDATE tasks SET state = 'begun', call_id = $2, changed_at = $3
				WHERE id = $1 AND owner IS NOT DISTINCT FROM $4 AND ${isInTime('$3')}
					AND (state = 'waiting' OR state = 'begun' AND call_id = $2) RETURNING 1`;
			return (await query(text, [id, callId, now, owner.instanceId])).length > 0;
		},
		async release(id, now) {
			await query(
				`UPDATE tasks SET state = 'waiting', call_id = NULL, changed_at = $2
				WHERE id = $1 AND owner IS NOT DISTINCT FROM $3 AND state = 'begun'`,
				[id, now, owner.instanceId],
			);
		},
		async change(id, {subject, approval}, now) {
			const text = `SELECT ${columns} FROM tasks WHERE id = $1 AND owner IS NOT DISTINCT FROM $2 AND state = 'waiting'`;
			const [task] = await readRows(taskRow(now), query(text, [id, owner.instanceId]));
			await (task &&
				query('UPDATE tasks SET record = $2, approval = $3, approval_id = $4, changed_at = $5 WHERE id = $1', [
					id,
					JSON.stringify({...task.call, subject}),
					approval ? JSON.stringify(approval) : null,
					approval?.id ?? null,
					now,
				]));
		},
		async end(id, {state, outcome, message}, now) {
			await query(
				`UPDATE tasks SET state = $2, outcome = $3, message = $4, changed_at = $5, ${endedTime('$5')}
				WHERE id = $1 AND owner IS NOT DISTINCT FROM $6 AND state IN ('waiting', 'begun')`,
				[id, state, outcome ? JSON.stringify(outcome) : null, message ?? null, now, owner.instanceId],
			);
		},
		async setTime(id, {milliseconds, time}, now) {
			await query(
				`UPDATE tasks SET expires_at = $2, left_milliseconds = $3
				WHERE id = $1 AND owner IS NOT DISTINCT FROM $4 AND state IN ('waiting', 'begun')`,
				[id, now + milliseconds, time === 'suspended' ? milliseconds : null, owner.instanceId],
			);
		},
		async take({profile, known}, now) {
			const text = `
				UPDATE tasks SET owner = $4 WHERE id IN (
					SELECT id FROM tasks
					WHERE state IN ('waiting', 'begun') AND profile = $1 AND ${isInTime('$2')} AND id <> ALL($3::text[])
						AND (owner IS NOT DISTINCT FROM $4 OR ${isAbandoned})
					ORDER BY created_at LIMIT ${maxTakenTasks} FOR UPDATE SKIP LOCKED
				) RETURNING ${columns}`;
			const taken = await readRows(taskRow(now), query(text, [profile, now, known, owner.instanceId]));
			return taken.sort((one, other) => one.createdAt - other.createdAt);
		},
	};
}

/** The statements that make a row, and remove one that nobody knows. */
function createRowStatements({query, owner}: TableAccess): Pick<TaskTable, 'insert' | 'remove'> {
	return {
		async insert({id, profile, client, call, approval, callId, left: {milliseconds, time}}, now) {
			await query(
				`INSERT INTO tasks (id, profile, client, state, created_at, changed_at, expires_at, record, approval, approval_id, call_id, is_cancelled, owner, left_milliseconds)
				VALUES ($1, $2, $3, $4, $5, $5, $6, $7, $8, $9, $10, 0, $11, $12) ON CONFLICT (id) DO NOTHING`,
				[
					id,
					profile,
					clientColumn(client),
					callId === undefined ? 'waiting' : 'begun',
					now,
					now + milliseconds,
					JSON.stringify(call),
					approval ? JSON.stringify(approval) : null,
					approval?.id ?? null,
					callId ?? null,
					owner.instanceId,
					time === 'suspended' ? milliseconds : null,
				],
			);
			return now;
		},
		async remove(id) {
			await query('DELETE FROM tasks WHERE id = $1 AND owner IS NOT DISTINCT FROM $2', [id, owner.instanceId]);
		},
	};
}

/** The statements of clients, and of the gateway that looks after their tasks. */
function createClientStatements({query, owner}: TableAccess): Pick<TaskTable, 'find' | 'cancel' | 'listOwn'> {
	const named = `id = $1 AND profile = $2 AND client = $3 AND ${isInTime('$4')}`;
	const valuesOf = ({id, profile, client}: TaskName, now: number) => [id, profile, clientColumn(client), now];
	return {
		async find(name, now) {
			const text = `SELECT ${columns} FROM tasks WHERE ${named}`;
			return (await readRows(taskRow(now), query(text, valuesOf(name, now))))[0];
		},
		async cancel(name, now) {
			const values = valuesOf(name, now);
			await query(
				`UPDATE tasks SET state = 'cancelled', changed_at = $4, message = 'The client cancelled the task', ${endedTime('$4')}
				WHERE ${named} AND state = 'waiting'`,
				values,
			);
			return (await query(`UPDATE tasks SET is_cancelled = 1 WHERE ${named} RETURNING 1`, values)).length > 0;
		},
		listOwn: profile =>
			readRows(
				taskCancellation,
				query(
					`SELECT id, state, is_cancelled AS "isCancelled" FROM tasks WHERE profile = $1 AND owner IS NOT DISTINCT FROM $2
						AND (state = 'cancelled' OR is_cancelled = 1)`,
					[profile, owner.instanceId],
				),
			),
	};
}
