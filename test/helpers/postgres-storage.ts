import {onTestFinished} from 'vitest';
import {type Hint} from '../../source/journal/operations/operation-values.ts';
import {type StorageReply, type StorageRequest} from '../../source/journal/operations/operations.ts';
import {type JournalDatabase} from '../../source/journal/postgres/connection.ts';
import {openPostgresStorage} from '../../source/journal/postgres/storage.ts';
import {systemClock} from '../../source/util/clock.ts';
import {type Problem} from '../../source/util/problem.ts';
import {newPostgresPlace} from './journal-engines.ts';
import {sampleRun} from './journal-records.ts';
import {queuedColumns} from '../../source/journal/rows/columns.ts';

const now = 1_700_000_000_000;

/** Opens the storage of a database, by default of one of its own as a gateway does; it is closed when the test ends. */
export async function openStorageOf(database?: JournalDatabase) {
	const place = database ?? (await newPostgresPlace()).database;
	const losses: Problem[] = [];
	const hints: Hint[] = [];
	const storage = await openPostgresStorage({
		database: place,
		clock: {now: () => now, after: systemClock.after},
		onLost: problem => losses.push(problem),
		onHint: hint => hints.push(hint),
	});
	onTestFinished(() => storage.close());
	const run = (...requests: ReadonlyArray<Omit<StorageRequest, 'now'>>) =>
		storage.run(requests.map(request => ({...request, now})));
	return {database: place, losses, hints, run, close: storage.close};
}

/** The request that queues a run. */
export const queueRun = (id: string) =>
	({name: 'queueRun', args: [queuedColumns(sampleRun({id, eventId: ''}))]}) as const;

/** The request that reads it. */
export const findRun = (id: string) => ({name: 'findRun', args: [id]}) as const;

/** The run ids or problems that the replies carry. */
export function idsOf(replies: readonly StorageReply[]): readonly unknown[] {
	return replies.map(reply =>
		reply.kind === 'value' ? ((reply.value as {readonly id?: string} | undefined)?.id ?? reply.value) : reply.kind,
	);
}
