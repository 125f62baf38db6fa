import {type DatabaseSync} from 'node:sqlite';
import {z} from 'zod';
import {boundedLimit, jsonColumn, readRows} from './read-rows.ts';
import {type RunChange, type RunRecord} from './records.ts';
import {type Places, isAtPlace} from './row-place.ts';
import {noEvent, runRecord} from './runs.ts';
import {type WaitingCount} from './waiting-count.ts';

/** The queue: the runs of the table that wait to be taken. Writes belong into a group commit. */
export type QueuedRuns = {
	/** `eventPlace`: where the event lies that led to it. */
	readonly insert: (run: RunRecord, eventPlace: number | undefined) => void;
	/** Oldest first. */
	readonly next: (limit: number) => readonly RunRecord[];
	/** Moves a run on; false when it was not queued. */
	readonly leave: (id: string, change: RunChange) => boolean;
	/** A run that was taken waits again, at its old place; false when it is not running. */
	readonly comeBack: (id: string, change: Omit<RunChange, 'state'>) => boolean;
};

const queuedRow = z.object({record: z.string().transform(jsonColumn).pipe(runRecord)});

/** Prepares the statements of the queue. */
export function createQueuedRuns(
	database: DatabaseSync,
	{waiting, places}: {readonly waiting: WaitingCount; readonly places: Places},
): QueuedRuns {
	const insert = database.prepare(`
		INSERT INTO runs (sequence, id, event, state, changed_at, record) VALUES (?, ?, ?, 'queued', ?, ?)
	`);
	const next = database.prepare(`SELECT record FROM runs WHERE state = 'queued' ORDER BY sequence LIMIT ?`);
	const leave = database.prepare(`
		UPDATE runs SET state = ?, reason = ?, changed_at = ? WHERE state = 'queued' AND (${isAtPlace})
	`);
	const comeBack = database.prepare(`
		UPDATE runs SET state = 'queued', reason = ?, changed_at = ? WHERE state = 'running' AND (${isAtPlace})
	`);
	return {
		insert(run, eventPlace = noEvent) {
			const {sequence, id} = places.forNew(run.id, run.createdAt);
			insert.run(sequence, id, eventPlace === sequence ? null : eventPlace, run.createdAt, JSON.stringify(run));
			waiting.add(1);
		},
		next: limit => readRows(queuedRow, () => next.all(boundedLimit(limit))).map(({record}) => record),
		leave(id, {state, reason, now: changedAt}) {
			const hasLeft = leave.run(state, reason ?? null, changedAt, ...places.of(id)).changes > 0;
			waiting.add(hasLeft && state !== 'queued' ? -1 : 0);
			return hasLeft;
		},
		comeBack(id, {reason, now: changedAt}) {
			const hasComeBack = comeBack.run(reason ?? null, changedAt, ...places.of(id)).changes > 0;
			waiting.add(hasComeBack ? 1 : 0);
			return hasComeBack;
		},
	};
}
