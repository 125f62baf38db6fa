import {type RunStatus} from '../../state/work-event.ts';
import {type RunChange, type RunEnd, type RunRecord, type RunRow} from '../rows/records.ts';
import {answerWaits} from '../rows/message-records.ts';
import {isAbandoned, isOwnerAlive} from '../rows/node-rows.ts';
import {boundedLimit} from '../rows/read-rows.ts';
import {conversationRow, movedRow, type RunQuery, runRow, runStatus} from '../rows/run-rows.ts';
import {readRows, type TableAccess} from './query.ts';
import {setAside} from './set-aside.ts';

/** The table of runs, beside its queue. Write inside a transaction. */
export type RunTable = {
	/** Keeps other transactions from ending the run until this one is over. */
	readonly lock: (id: string) => Promise<void>;
	readonly setState: (id: string, change: RunChange) => Promise<void>;
	/** Ends a run of this gateway, or an inbox item that no other one has claimed; false when another one has decided about it. True again when the write is repeated. */
	readonly finish: (id: string, end: RunEnd, now: number) => Promise<boolean>;
	/** Ends a run that was interrupted, or whose answer was to be sent again; the result that it has stays. */
	readonly endLater: (id: string, end: RunEnd, now: number) => Promise<void>;
	/** Makes an inbox item this gateway's; false when it is open no more, or that of another one that is alive, or has an answer that waits to be sent or is being sent. */
	readonly claimItem: (id: string) => Promise<boolean>;
	readonly releaseItem: (id: string) => Promise<void>;
	/** Leaves an inbox item that no other gateway has claimed open for anybody, with the reason. */
	readonly leaveItem: (id: string, reason: string) => Promise<void>;
	/** Says why inbox items are still open, of every owner. */
	readonly noteItems: (ids: readonly string[], reason: string) => Promise<void>;
	/** Moves every run of state `from` whose gateway is not alive; returns them, oldest first. */
	readonly moveAbandoned: (from: RunStatus, change: RunChange) => Promise<readonly RunRecord[]>;
	/** Newest first. */
	readonly list: (query: RunQuery) => Promise<readonly RunRow[]>;
	readonly find: (id: string) => Promise<RunRow | undefined>;
	/** The runs of an event, newest first; at most ten. */
	readonly ofEvent: (eventId: string) => Promise<readonly RunRow[]>;
	/** The newest run of a job of a profile. */
	readonly newestOfJob: (job: string, profile: string) => Promise<RunRow | undefined>;
	readonly findConversation: (id: string) => Promise<string | undefined>;
};

/** An index of profiles would cost every run a page write. */
const recentRuns = 10_000;
const recent = `sequence > (SELECT max(sequence) FROM runs) - ${recentRuns}`;

/** The columns of a row of a list, but the gateway. */
export const runColumns = `id, event_id AS "eventId", profile, job, state, reason, changed_at AS "changedAt", result, record`;

/** The statements of the table. */
export function createRunTable(access: TableAccess): RunTable {
	const {query, dialect, owner} = access;
	const read = (rest: string, values: readonly unknown[]) =>
		readRows(runRow, query(`SELECT ${runColumns}, ${dialect.nodeName} FROM runs ${rest}`, values));
	return {
		async lock(id) {
			await query('SELECT 1 FROM runs WHERE id = $1 FOR UPDATE', [id]);
		},
		async setState(id, {state, reason = null, now}) {
			await query('UPDATE runs SET state = $1, reason = $2, changed_at = $3 WHERE id = $4', [state, reason, now, id]);
		},
		async finish(id, {state, reason = null, result, conversation = null}, now) {
			const finished = await query(
				`UPDATE runs SET state = $1, reason = $2, changed_at = $3, result = $4, conversation = $5
				WHERE id = $6 AND (
					state = 'running' AND owner IS NOT DISTINCT FROM $7
					OR state = 'inbox' AND (owner = $7 OR ${isAbandoned}) OR state = $1 AND result = $4
				) RETURNING 1`,
				[state, reason, now, JSON.stringify(result), conversation, id, owner.instanceId],
			);
			return finished.length > 0;
		},
		async endLater(id, {state, reason = null, result, conversation = null}, now) {
			await query(
				`UPDATE runs SET state = $1, reason = $2, changed_at = $3, result = coalesce(result, $4), conversation = coalesce(conversation, $5)
				WHERE id = $6 AND (state = 'interrupted' OR state = 'finished' AND reason = $7)`,
				[state, reason, now, JSON.stringify(result), conversation, id, answerWaits],
			);
		},
		...createInboxItems(access),
		async moveAbandoned(from, {state, reason = null, now}) {
			const moved = await setAside(query, 'runs', {
				schema: movedRow,
				state,
				rows: query(
					`UPDATE runs SET state = $1, reason = $2, changed_at = $3 WHERE state = $4 AND ${isAbandoned} RETURNING sequence, record`,
					[state, reason, now, from],
				),
			});
			return moved.sort((first, second) => first.sequence - second.sequence).map(row => row.record);
		},
		list({states = runStatus.options, profile, limit}) {
			const maxRows = boundedLimit(limit);
			return profile === undefined
				? read('WHERE state = ANY($1) ORDER BY sequence DESC LIMIT $2', [states, maxRows])
				: read(`WHERE ${recent} AND state = ANY($1) AND profile = $2 ORDER BY sequence DESC LIMIT $3`, [
						states,
						profile,
						maxRows,
					]);
		},
		find: async id => (await read('WHERE id = $1', [id]))[0],
		ofEvent: eventId => read('WHERE event_id = $1 ORDER BY sequence DESC LIMIT 10', [eventId]),
		newestOfJob: async (job, profile) =>
			(await read(`WHERE ${recent} AND job = $1 AND profile = $2 ORDER BY sequence DESC LIMIT 1`, [job, profile]))[0],
		async findConversation(id) {
			const [row] = await readRows(conversationRow, query('SELECT conversation FROM runs WHERE id = $1', [id]));
			return row?.conversation ?? undefined;
		},
	};
}

/** The statements for inbox items. */
function createInboxItems({
	query,
	owner,
}: TableAccess): Pick<RunTable, 'claimItem' | 'releaseItem' | 'leaveItem' | 'noteItems'> {
	return {
		async claimItem(id) {
			const claimed = await query(
				`UPDATE runs SET owner = $1
				WHERE id = $2 AND state = 'inbox' AND (owner = $1 OR ${isAbandoned}) AND ${isOwnerAlive('$1')} AND NOT EXISTS (
					SELECT 1 FROM answers WHERE answers.state IN ('pending', 'sending', 'retrying') AND answers.run_id = runs.id
				) RETURNING 1`,
				[owner.instanceId, id],
			);
			return claimed.length > 0;
		},
		async releaseItem(id) {
			await query(`UPDATE runs SET owner = NULL WHERE id = $1 AND state = 'inbox' AND owner = $2`, [
				id,
				owner.instanceId,
			]);
		},
		async leaveItem(id, reason) {
			await query(
				`UPDATE runs SET reason = $1, owner = NULL WHERE id = $2 AND state = 'inbox' AND (owner = $3 OR ${isAbandoned})`,
				[reason, id, owner.instanceId],
			);
		},
		async noteItems(ids, reason) {
			await query(`UPDATE runs SET reason = $1 WHERE id = ANY($2) AND state = 'inbox'`, [reason, ids]);
		},
	};
}
