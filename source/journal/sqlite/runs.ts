import {type DatabaseSync} from 'node:sqlite';
import {type RunStatus} from '../../state/work-event.ts';
import {type RunChange, type RunEnd, type RunRecord, type RunRow} from '../records.ts';
import {isAbandoned, type Writer} from '../rows/node-rows.ts';
import {boundedLimit, readRows} from '../rows/read-rows.ts';
import {prepareSetAside} from './set-aside.ts';
import {conversationRow, movedRow, type RunQuery, runRow, runStatus} from '../rows/run-rows.ts';

/** The table of runs, beside its queue. Write inside a transaction. */
export type RunTable = {
	readonly setState: (id: string, change: RunChange) => void;
	/** Ends a run of this gateway, or an inbox item that no other one has claimed; false when another one has decided about it. True again when the write is repeated. */
	readonly finish: (id: string, end: RunEnd, now: number) => boolean;
	/** Ends an interrupted run whose answer was sent after all; the result that it has stays. */
	readonly endInterrupted: (id: string, end: RunEnd, now: number) => void;
	/** Makes an inbox item this gateway's; false when it is open no more, or that of another one that is alive, or has an answer that waits to be sent or is being sent. */
	readonly claimItem: (id: string) => boolean;
	readonly releaseItem: (id: string) => void;
	/** Leaves an inbox item that no other gateway has claimed open for anybody, with the reason. */
	readonly leaveItem: (id: string, reason: string) => void;
	/** Says why inbox items are still open, whoever has claimed them. */
	readonly noteItems: (ids: readonly string[], reason: string) => void;
	/** Moves every run of state `from` whose gateway is not alive; returns them, oldest first. */
	readonly moveAbandoned: (from: RunStatus, change: RunChange) => readonly RunRecord[];
	/** Newest first. */
	readonly list: (query: RunQuery) => readonly RunRow[];
	readonly find: (id: string) => RunRow | undefined;
	/** The runs of an event, newest first; at most ten. */
	readonly ofEvent: (eventId: string) => readonly RunRow[];
	/** The newest run of a job of a profile. */
	readonly newestOfJob: (job: string, profile: string) => RunRow | undefined;
	readonly findConversation: (id: string) => string | undefined;
};

/** An index of profiles would cost every run a page write. */
const recentRuns = 10_000;

/** Prepares the statements of the table. */
export function createRunTable(database: DatabaseSync, writer: Writer): RunTable {
	const setState = database.prepare(`UPDATE runs SET state = ?, reason = ?, changed_at = ? WHERE id = ?`);
	const move = database.prepare(`
		UPDATE runs SET state = ?, reason = ?, changed_at = ? WHERE state = ? AND ${isAbandoned} RETURNING sequence, record
	`);
	const finish = database.prepare(`
		UPDATE runs SET state = ?1, reason = ?2, changed_at = ?3, result = ?4, conversation = ?5
		WHERE id = ?6 AND (
			state = 'running' AND owner IS ?7 OR state = 'inbox' AND (owner = ?7 OR ${isAbandoned}) OR state = ?1 AND result = ?4
		)
	`);
	const endInterrupted = database.prepare(`
		UPDATE runs SET state = ?, reason = ?, changed_at = ?, result = coalesce(result, ?), conversation = coalesce(conversation, ?)
		WHERE id = ? AND state = 'interrupted'
	`);
	const columns = 'id, event_id AS eventId, profile, job, state, reason, changed_at AS changedAt, result, record';
	const setAside = prepareSetAside(database, 'runs');
	const list = database.prepare(`
		SELECT ${columns} FROM runs WHERE state IN (SELECT value FROM json_each(?)) ORDER BY sequence DESC LIMIT ?
	`);
	const listProfile = database.prepare(`
		SELECT ${columns} FROM runs
		WHERE sequence > (SELECT max(sequence) FROM runs) - ${recentRuns}
			AND state IN (SELECT value FROM json_each(?)) AND profile = ?
		ORDER BY sequence DESC LIMIT ?
	`);
	const find = database.prepare(`SELECT ${columns} FROM runs WHERE id = ?`);
	const ofEvent = database.prepare(`
		SELECT ${columns} FROM runs WHERE event_id = ? ORDER BY sequence DESC LIMIT 10
	`);
	const newestOfJob = database.prepare(`
		SELECT ${columns} FROM runs
		WHERE sequence > (SELECT max(sequence) FROM runs) - ${recentRuns}
			AND job = ? AND profile = ?
		ORDER BY sequence DESC LIMIT 1
	`);
	const conversation = database.prepare(`SELECT conversation FROM runs WHERE id = ?`);
	return {
		setState(id, {state, reason, now: changedAt}) {
			setState.run(state, reason ?? null, changedAt, id);
		},
		finish(id, end, changedAt) {
			const {state, reason = null, result, conversation: text = null} = end;
			const values = [state, reason, changedAt, JSON.stringify(result), text, id, writer.incarnation];
			return finish.run(...values).changes > 0;
		},
		endInterrupted(id, {state, reason = null, result, conversation: text = null}, changedAt) {
			endInterrupted.run(state, reason, changedAt, JSON.stringify(result), text, id);
		},
		...createInboxItems(database, writer),
		moveAbandoned(from, {state, reason, now: changedAt}) {
			const moved = setAside(movedRow, move.all(state, reason ?? null, changedAt, from), state);
			return moved.sort((first, second) => first.sequence - second.sequence).map(row => row.record);
		},
		list({states = runStatus.options, profile, limit}) {
			const ofStates = JSON.stringify(states);
			const most = boundedLimit(limit);
			return readRows(runRow, () =>
				profile === undefined ? list.all(ofStates, most) : listProfile.all(ofStates, profile, most),
			);
		},
		find: id => readRows(runRow, () => find.all(id))[0],
		ofEvent: eventId => readRows(runRow, () => ofEvent.all(eventId)),
		newestOfJob: (job, profile) => readRows(runRow, () => newestOfJob.all(job, profile))[0],
		findConversation: id => readRows(conversationRow, () => conversation.all(id))[0]?.conversation ?? undefined,
	};
}

/** The statements for inbox items. */
function createInboxItems(
	database: DatabaseSync,
	writer: Writer,
): Pick<RunTable, 'claimItem' | 'releaseItem' | 'leaveItem' | 'noteItems'> {
	const claimItem = database.prepare(`
		UPDATE runs SET owner = ?1 WHERE id = ?2 AND state = 'inbox' AND (owner = ?1 OR ${isAbandoned}) AND NOT EXISTS (
			SELECT 1 FROM answers WHERE answers.state IN ('pending', 'sending') AND CASE WHEN json_valid(answers.record) THEN json_extract(answers.record, '$.runId') END = runs.id
		)
	`);
	const releaseItem = database.prepare(`UPDATE runs SET owner = NULL WHERE id = ? AND state = 'inbox' AND owner = ?`);
	const leaveItem = database.prepare(`
		UPDATE runs SET reason = ?1, owner = NULL WHERE id = ?2 AND state = 'inbox' AND (owner = ?3 OR ${isAbandoned})
	`);
	const noteItem = database.prepare(`UPDATE runs SET reason = ? WHERE id = ? AND state = 'inbox'`);
	return {
		claimItem: id => claimItem.run(writer.incarnation, id).changes > 0,
		releaseItem: id => void releaseItem.run(id, writer.incarnation),
		leaveItem: (id, reason) => void leaveItem.run(reason, id, writer.incarnation),
		noteItems: (ids, reason) => ids.forEach(id => noteItem.run(reason, id)),
	};
}
