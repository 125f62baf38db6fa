import {type DatabaseSync} from 'node:sqlite';
import {type AnswerRecord, type AnswerRow, type AnswerState} from '../records.ts';
import {
	type AnswerChange,
	type AnswerFinish,
	type AnswerQuery,
	answerRow,
	answerState,
	oldestFirst,
	movedAnswer,
	type WithdrawnAnswer,
} from '../rows/answer-rows.ts';
import {isAbandoned, type Writer} from '../rows/node-rows.ts';
import {boundedLimit, readRows} from '../rows/read-rows.ts';
import {prepareSetAside} from './set-aside.ts';

/** The table of answers: messages to deliver, and those delivered. Write inside a transaction. */
export type AnswerTable = {
	readonly insert: (answer: AnswerRecord, change: AnswerChange) => void;
	/** Ends the sending that this gateway began: `unchanged` when that is written already, as the write may be repeated, and `taken` when another one has decided. */
	readonly finish: (id: string, change: AnswerChange) => AnswerFinish;
	/** Fails a message that nobody may have begun to send; false when it is in another state, or another gateway's. */
	readonly withdraw: (id: string, change: WithdrawnAnswer) => boolean;
	/** Fails the messages of a run that nobody has begun to send. */
	readonly withdrawOfRun: (runId: string, change: Omit<WithdrawnAnswer, 'from'>) => void;
	readonly find: (id: string) => AnswerRow | undefined;
	/** The messages of a run, newest first; those of a run without an event are looked for among the newest 10,000. */
	readonly ofRun: (run: {readonly id: string; readonly eventId: string}) => readonly AnswerRow[];
	/** Moves an answer from this state to `sending`; false when it is in another, unless that is what this gateway has begun already. */
	readonly begin: (id: string, change: {readonly from: AnswerState; readonly now: number}) => boolean;
	/** Moves every `sending` answer whose gateway is not alive to `outcome_uncertain` and returns them, oldest first. */
	readonly doubtBegun: (change: Omit<AnswerChange, 'state'>) => readonly AnswerRecord[];
	/** Pending ones of this gateway, and those whose gateway is not alive, which are this one's from now on; at most `limit`, oldest first. */
	readonly takePending: (limit: number) => readonly AnswerRecord[];
	/** Newest first. */
	readonly list: (query: AnswerQuery) => readonly AnswerRow[];
};

/** Prepares the statements of the table. */
export function createAnswerTable(database: DatabaseSync, writer: Writer): AnswerTable {
	const insert = database.prepare(
		'INSERT INTO answers (id, event_id, state, detail, changed_at, record, owner) VALUES (?, ?, ?, ?, ?, ?, ?) ON CONFLICT (id) DO NOTHING',
	);
	const finish = database.prepare(`
		UPDATE answers SET state = ?, detail = ?, changed_at = ? WHERE id = ? AND state = 'sending' AND owner IS ?
	`);
	const isFinished = database.prepare('SELECT 1 FROM answers WHERE id = ? AND (state, detail) IS (?, ?)');
	const begin = database.prepare(`
		UPDATE answers SET state = 'sending', detail = NULL, changed_at = ?1, owner = ?2
		WHERE id = ?3 AND (state = ?4 OR state = 'sending' AND owner IS ?2)
	`);
	const withdraw = database.prepare(`
		UPDATE answers SET state = 'failed', detail = ?1, changed_at = ?2 WHERE id = ?3 AND state = ?4 AND (owner IS ?5 OR ${isAbandoned})
	`);
	const withdrawOfRun = database.prepare(`
		UPDATE answers SET state = 'failed', detail = ?, changed_at = ?
		WHERE state = 'pending' AND CASE WHEN json_valid(record) THEN json_extract(record, '$.runId') END = ?
	`);
	const takePending = database.prepare(`
		UPDATE answers SET owner = ?1 WHERE id IN (
			SELECT id FROM answers WHERE state = 'pending' AND (owner IS ?1 OR ${isAbandoned}) ORDER BY sequence LIMIT ?2
		) RETURNING sequence, record
	`);
	const find = database.prepare(
		'SELECT id, event_id AS eventId, state, detail, changed_at AS changedAt, record FROM answers WHERE id = ?',
	);
	const ofRun = database.prepare(`
		SELECT id, event_id AS eventId, state, detail, changed_at AS changedAt, record FROM answers
		WHERE event_id = ?1 AND sequence > CASE WHEN ?1 = '' THEN (SELECT max(sequence) FROM answers) - 10000 ELSE 0 END
			AND CASE WHEN json_valid(record) THEN json_extract(record, '$.runId') END = ?2
		ORDER BY sequence DESC LIMIT 10
	`);
	const doubt = database.prepare(`
		UPDATE answers SET state = 'outcome_uncertain', detail = ?, changed_at = ? WHERE state = 'sending' AND ${isAbandoned} RETURNING sequence, record
	`);
	const list = database.prepare(`
		SELECT id, event_id AS eventId, state, detail, changed_at AS changedAt, record FROM answers
		WHERE state IN (SELECT value FROM json_each(?1)) AND (?2 IS NULL OR event_id = ?2) ORDER BY sequence DESC LIMIT ?3
	`);
	const setAside = prepareSetAside(database, 'answers');
	return {
		insert: (answer, {state, detail, now}) =>
			void insert.run(
				answer.id,
				answer.eventId,
				state,
				detail ?? null,
				now,
				JSON.stringify(answer),
				writer.incarnation,
			),
		finish(id, {state, detail = null, now}) {
			if (finish.run(state, detail, now, id, writer.incarnation).changes > 0) {
				return 'changed';
			}

			return isFinished.get(id, state, detail) ? 'unchanged' : 'taken';
		},
		begin: (id, {from, now}) => begin.run(now, writer.incarnation, id, from).changes > 0,
		withdraw: (id, {from, detail, now}) => withdraw.run(detail, now, id, from, writer.incarnation).changes > 0,
		withdrawOfRun: (runId, {detail, now}) => void withdrawOfRun.run(detail, now, runId),
		find: id => readRows(answerRow, () => find.all(id))[0],
		ofRun: run => readRows(answerRow, () => ofRun.all(run.eventId, run.id)),
		doubtBegun: ({detail, now}) =>
			oldestFirst(setAside(movedAnswer, doubt.all(detail ?? null, now), 'outcome_uncertain')),
		takePending: limit => oldestFirst(setAside(movedAnswer, takePending.all(writer.incarnation, limit), 'pending')),
		list: ({states = answerState.options, eventId, limit}) =>
			readRows(answerRow, () => list.all(JSON.stringify(states), eventId ?? null, boundedLimit(limit))),
	};
}
