import {type ModelTurn, type RunNote} from '../../state/work-event.ts';
import {
	type AddedNote,
	maxWaitingNotes,
	waitingNotes,
	noteRow,
	type RunProgressRows,
	turnRow,
} from '../rows/run-progress.ts';
import {readRows, type TableAccess} from './query.ts';

/** The turns of runs and the notes to them. Write inside a transaction. */
export type RunProgressTable = {
	/** Writes a turn when it begins, and again when it ends; one that has ended stays as it is. */
	readonly putTurn: (runId: string, turn: ModelTurn) => Promise<void>;
	/** Adds a note to a run that is queued or running. */
	readonly addNote: (runId: string, note: RunNote) => Promise<AddedNote>;
	/** Removes a note that no turn has got. */
	readonly removeNote: (id: string) => Promise<void>;
	/** The model has got these notes. */
	readonly markRead: (ids: readonly string[], read: NonNullable<RunNote['read']>) => Promise<void>;
	readonly unreadNotes: (runId: string) => Promise<readonly RunNote[]>;
	readonly ofRun: (runId: string) => Promise<RunProgressRows>;
};

const turnColumns = `number, at, model, ms, input_tokens AS "inputTokens", output_tokens AS "outputTokens", micro_usd AS "microUsd"`;
const noteColumns = 'id, at, author AS by, text, read_at AS "readAt", turn';

/** The statements of both tables. */
export function createRunProgressTable({query}: Pick<TableAccess, 'query'>): RunProgressTable {
	const notes = (rest: string, values: readonly unknown[]) =>
		readRows(noteRow, query(`SELECT ${noteColumns} FROM run_notes ${rest} ORDER BY id`, values));
	return {
		async putTurn(runId, {number, at, model, end}) {
			await query(
				`INSERT INTO model_turns (run_id, number, at, model, ms, input_tokens, output_tokens, micro_usd)
				SELECT id, $2, $3, $4, $5, $6, $7, $8 FROM runs WHERE id = $1
				ON CONFLICT (run_id, number) DO UPDATE SET at = excluded.at, model = excluded.model, ms = excluded.ms,
					input_tokens = excluded.input_tokens, output_tokens = excluded.output_tokens, micro_usd = excluded.micro_usd
				WHERE model_turns.ms IS NULL`,
				[
					runId,
					number,
					at,
					model,
					end?.ms ?? null,
					end?.usage?.inputTokens ?? null,
					end?.usage?.outputTokens ?? null,
					end?.microUsd ?? null,
				],
			);
		},
		async addNote(runId, {id, at, by, text}) {
			// The lock keeps the run from ending until the note is there.
			const [room] = await readRows(
				waitingNotes,
				query(
					`SELECT (SELECT count(*) FROM run_notes WHERE run_id = runs.id AND read_at IS NULL) AS waiting
					FROM runs WHERE id = $1 AND state IN ('queued', 'running') FOR UPDATE`,
					[runId],
				),
			);
			if (!room || room.waiting >= maxWaitingNotes) {
				return room ? 'full' : 'over';
			}

			await query(
				'INSERT INTO run_notes (id, run_id, at, author, text) VALUES ($1, $2, $3, $4, $5) ON CONFLICT (id) DO NOTHING',
				[id, runId, at, by, text],
			);
			return 'added';
		},
		async removeNote(id) {
			await query('DELETE FROM run_notes WHERE id = $1 AND read_at IS NULL', [id]);
		},
		async markRead(ids, {at, turn}) {
			await query('UPDATE run_notes SET read_at = $1, turn = $2 WHERE id = ANY($3) AND read_at IS NULL', [
				at,
				turn,
				ids,
			]);
		},
		unreadNotes: runId => notes('WHERE run_id = $1 AND read_at IS NULL', [runId]),
		async ofRun(runId) {
			const turns = readRows(
				turnRow,
				query(`SELECT ${turnColumns} FROM model_turns WHERE run_id = $1 ORDER BY number`, [runId]),
			);
			return {turns: await turns, notes: await notes('WHERE run_id = $1', [runId])};
		},
	};
}
