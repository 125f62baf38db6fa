import {type OutgoingMessageRow} from '../rows/records.ts';
import {
	type DueMessages,
	type OutgoingMessage,
	type OutgoingMessageState,
	type SendProgress,
	type StoredMessage,
} from '../rows/message-records.ts';
import {
	type MessageChange,
	type MessageFinish,
	type MessageOutcome,
	nextTime,
	type OutgoingMessageQuery,
	type RepeatedDelivery,
	messageRow,
	messageState,
	oldestFirst,
	movedMessage,
	type WithdrawnMessage,
} from '../rows/message-rows.ts';
import {isAbandoned, isOwnerAlive, type Owner} from '../rows/node-rows.ts';
import {boundedLimit} from '../rows/read-rows.ts';
import {readRows, type TableAccess} from './query.ts';
import {setAside} from './set-aside.ts';

/** The table `answers`: messages to deliver, and delivered ones. Write inside a transaction. */
export type MessageTable = {
	/** False for an answer to an inbox item that another gateway has claimed or ended since this one had claimed it, or that another one has taken over. True again when the write is repeated. */
	readonly insert: (message: OutgoingMessage, change: MessageChange) => Promise<boolean>;
	/** Ends the sending that this gateway began: `unchanged` when that is written already, as the write may be repeated, and `taken` when another one has decided. */
	readonly finish: (id: string, change: MessageOutcome) => Promise<MessageFinish>;
	/** Records what arrived of a message that this gateway is sending. */
	readonly recordProgress: (id: string, progress: SendProgress) => Promise<void>;
	/** Fails a message that was to be sent again, whichever gateway has it; false when it is in another state. */
	readonly cancel: (id: string, change: Omit<MessageChange, 'state'>) => Promise<boolean>;
	/** Fails a message that nobody may have begun to send; false when it is in another state, or another gateway's. */
	readonly withdraw: (id: string, change: WithdrawnMessage) => Promise<boolean>;
	/** Fails the messages of a run that nobody has begun to send. */
	readonly withdrawOfRun: (runId: string, change: Omit<WithdrawnMessage, 'from'>) => Promise<void>;
	readonly find: (id: string) => Promise<OutgoingMessageRow | undefined>;
	/** The messages of these ids. */
	readonly withIds: (ids: readonly string[]) => Promise<readonly OutgoingMessageRow[]>;
	/** The messages of a repeated delivery that arrived, or may have, or are still sent; newest first. */
	readonly ofDelivery: (delivery: RepeatedDelivery) => Promise<readonly OutgoingMessageRow[]>;
	/** The messages of a run, newest first; those of a run without an event are looked for among the newest 10,000. */
	readonly ofRun: (run: {readonly id: string; readonly eventId: string}) => Promise<readonly OutgoingMessageRow[]>;
	/** Moves a message from this state to `sending`; false when it is in another, unless that is what this gateway has begun already. `due`: it must be due, too. */
	readonly begin: (
		id: string,
		change: {readonly from: OutgoingMessageState; readonly now: number; readonly when?: 'due' | undefined},
	) => Promise<boolean>;
	/** Moves every `sending` message whose gateway is not alive to `outcome_uncertain` and returns them, oldest first. */
	readonly markInterruptedSendsUncertain: (change: Omit<MessageChange, 'state'>) => Promise<readonly OutgoingMessage[]>;
	/** Pending ones of this gateway, and those whose gateway is not alive, which are this one's from now on; at most `limit`, oldest first. */
	readonly takePending: (limit: number) => Promise<readonly StoredMessage[]>;
	/** The same for those that are sent again. */
	readonly takeDue: (query: {readonly limit: number; readonly now: number}) => Promise<DueMessages>;
	/** Newest first. */
	readonly list: (query: OutgoingMessageQuery) => Promise<readonly OutgoingMessageRow[]>;
};

/** The columns of a message that is written, in the order in which they are bound. */
export const boundColumns =
	'id, event_id, run_id, route, target, state, detail, changed_at, record, owner, delivery_id';

/** The values of those columns. */
export function messageColumns(
	message: OutgoingMessage,
	{state, detail, now}: MessageChange,
	{instanceId}: Owner,
): readonly unknown[] {
	const {id, eventId, runId = null, route, target} = message;
	// Of an event without a run: its sender may repeat the delivery.
	const deliveryId = runId === null && eventId !== '' ? message.deliveryId : null;
	const record = JSON.stringify(message);
	return [id, eventId, runId, route, target, state, detail ?? null, now, record, instanceId, deliveryId];
}

/** Messages of a repeated delivery that are looked at: a list has one for each destination. */
const maxRepeated = 200;

/** The columns of a row of a list, but the gateway. */
export const messageRowColumns = `id, event_id AS "eventId", state, detail, changed_at AS "changedAt", next_at AS "nextAt", progress, record`;

/** The statements of the table. */
export function createMessageTable(access: TableAccess): MessageTable {
	const {query, dialect, owner} = access;
	const read = async (rest: string, values: readonly unknown[]): Promise<readonly OutgoingMessageRow[]> => {
		const text = `SELECT ${messageRowColumns}, ${dialect.nodeName} FROM answers ${rest}`;
		const rows = await readRows(messageRow, query(text, values));
		return rows.map(row => (row.nextAt === undefined ? row : {...row, nextAt: row.nextAt - owner.clockAhead}));
	};

	return {
		async insert(message, change) {
			const inserted = await query(
				`INSERT INTO answers (${boundColumns}) SELECT $1, $2, $3, $4, $5, $6, $7, $8::bigint, $9, $10, $11
				WHERE NOT EXISTS (
					SELECT 1 FROM runs WHERE runs.id = $3
						AND (runs.state = 'finished' OR runs.state = 'inbox' AND runs.owner IS DISTINCT FROM $10)
				)
				ON CONFLICT (id) DO UPDATE SET state = excluded.state WHERE answers.owner IS NOT DISTINCT FROM excluded.owner AND answers.state = excluded.state RETURNING 1`,
				messageColumns(message, change, owner),
			);
			return inserted.length > 0;
		},
		...messageAttempts(access),
		async withdraw(id, {from, detail, now}) {
			const withdrawn = await query(
				`UPDATE answers SET state = 'failed', detail = $1, changed_at = $2
				WHERE id = $3 AND state = $4 AND (owner = $5 OR ${isAbandoned}) RETURNING 1`,
				[detail, now, id, from, owner.instanceId],
			);
			return withdrawn.length > 0;
		},
		async withdrawOfRun(runId, {detail, now}) {
			await query(
				`UPDATE answers SET state = 'failed', detail = $1, changed_at = $2 WHERE state = 'pending' AND run_id = $3`,
				[detail, now, runId],
			);
		},
		find: async id => (await read('WHERE id = $1', [id]))[0],
		withIds: ids => read('WHERE id = ANY($1)', [ids]),
		ofDelivery: ({route, deliveryId, since}) =>
			read(
				`WHERE delivery_id = $1 AND route = $2 AND changed_at >= $3 AND state <> 'failed'
				ORDER BY sequence DESC LIMIT ${maxRepeated}`,
				[deliveryId, route, since],
			),
		ofRun: run =>
			read(
				`WHERE event_id = $1 AND run_id = $2
					AND sequence > CASE WHEN $1 = '' THEN (SELECT max(sequence) FROM answers) - 10000 ELSE 0 END
				ORDER BY sequence DESC LIMIT 50`,
				[run.eventId, run.id],
			),
		...abandonedMessages(access),
		list: ({states = messageState.options, eventId, limit}) =>
			read('WHERE state = ANY($1) AND ($2::text IS NULL OR event_id = $2) ORDER BY sequence DESC LIMIT $3', [
				states,
				eventId ?? null,
				boundedLimit(limit),
			]),
	};
}

/** The statements about the attempts at a message. */
function messageAttempts({
	query,
	owner,
}: TableAccess): Pick<MessageTable, 'finish' | 'begin' | 'recordProgress' | 'cancel'> {
	return {
		async finish(id, {state, detail = null, now, attempts}) {
			const progress = attempts && JSON.stringify(attempts.progress);
			const changed = await query(
				`UPDATE answers SET state = $1, detail = $2, changed_at = $3, next_at = $6::bigint, progress = coalesce($7, progress)
				WHERE id = $4 AND state = 'sending' AND owner IS NOT DISTINCT FROM $5 RETURNING 1`,
				[state, detail, now, id, owner.instanceId, journalTime(attempts?.nextAt, owner.clockAhead), progress ?? null],
			);
			if (changed.length > 0) {
				return 'changed';
			}

			const text = 'SELECT 1 FROM answers WHERE id = $1 AND (state, detail) IS NOT DISTINCT FROM ($2, $3)';
			return (await query(text, [id, state, detail])).length > 0 ? 'unchanged' : 'taken';
		},
		async begin(id, {from, now, when}) {
			const dueAt = when === 'due' ? now + owner.clockAhead : null;
			const begun = await query(
				`UPDATE answers SET state = 'sending', detail = NULL, next_at = NULL, changed_at = $1, owner = $2
				WHERE id = $3 AND (
					state = $4 AND ($5::bigint IS NULL OR next_at <= $5) OR state = 'sending' AND owner IS NOT DISTINCT FROM $2
				) AND ${isOwnerAlive('$2')} RETURNING 1`,
				[now, owner.instanceId, id, from, dueAt],
			);
			return begun.length > 0;
		},
		async recordProgress(id, progress) {
			await query(
				`UPDATE answers SET progress = $1 WHERE id = $2 AND state = 'sending' AND owner IS NOT DISTINCT FROM $3`,
				[JSON.stringify(progress), id, owner.instanceId],
			);
		},
		async cancel(id, {detail = null, now}) {
			const cancelled = await query(
				`UPDATE answers SET state = 'failed', detail = $1, next_at = NULL, changed_at = $2
				WHERE id = $3 AND state = 'retrying' RETURNING 1`,
				[detail, now, id],
			);
			return cancelled.length > 0;
		},
	};
}

/** The statements about messages of dead gateways. */
function abandonedMessages({
	query,
	owner,
}: TableAccess): Pick<MessageTable, 'markInterruptedSendsUncertain' | 'takePending' | 'takeDue'> {
	const isOwnOrAbandoned = `(owner = $1 OR ${isAbandoned})`;
	return {
		async markInterruptedSendsUncertain({detail = null, now}) {
			const uncertain = await setAside(query, 'answers', {
				schema: movedMessage,
				state: 'outcome_uncertain',
				rows: query(
					`UPDATE answers SET state = 'outcome_uncertain', detail = $1, changed_at = $2
					WHERE state = 'sending' AND ${isAbandoned} RETURNING sequence, record, progress`,
					[detail, now],
				),
			});
			return oldestFirst(uncertain);
		},
		async takePending(limit) {
			const taken = await setAside(query, 'answers', {
				schema: movedMessage,
				state: 'pending',
				rows: query(
					`UPDATE answers SET owner = $1 WHERE id IN (
						SELECT id FROM answers WHERE state = 'pending' AND ${isOwnOrAbandoned}
						ORDER BY sequence LIMIT $2 FOR UPDATE SKIP LOCKED
					) RETURNING sequence, record, progress`,
					[owner.instanceId, limit],
				),
			});
			return oldestFirst(taken);
		},
		async takeDue({limit, now}) {
			const taken = await setAside(query, 'answers', {
				schema: movedMessage,
				state: 'retrying',
				rows: query(
					`UPDATE answers SET owner = $1 WHERE id IN (
						SELECT id FROM answers WHERE state = 'retrying' AND next_at <= $3 AND ${isOwnOrAbandoned} AND ${isOwnerAlive('$1')}
						ORDER BY sequence LIMIT $2 FOR UPDATE SKIP LOCKED
					) RETURNING sequence, record, progress`,
					[owner.instanceId, limit, now + owner.clockAhead],
				),
			});
			const later = `SELECT min(next_at) AS at FROM answers WHERE state = 'retrying' AND ${isOwnOrAbandoned}`;
			const [next] = await readRows(nextTime, query(later, [owner.instanceId]));
			const at = next?.at ?? undefined;
			return {
				due: oldestFirst(taken),
				...(at !== undefined && {waitMilliseconds: Math.max(0, at - now - owner.clockAhead)}),
			};
		},
	};
}

/** A time by the clock of the journal. */
function journalTime(time: number | undefined, clockAhead: number): number | null {
	return time === undefined ? null : time + clockAhead;
}
