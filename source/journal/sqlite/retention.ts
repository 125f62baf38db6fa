import {type DatabaseSync} from 'node:sqlite';
import {z} from 'zod';
import {type JournalLimits} from '../operations/operation-values.ts';
import {forgetAfterMilliseconds} from '../rows/node-rows.ts';
import {parseRows} from '../rows/read-rows.ts';
import {oldestDate} from '../rows/spending-rows.ts';

/** Removes rows over the limits of age and size, a bounded slice at a time, so that pruning does not delay a request. */
export type Retention = {
	/** Removes one slice; true when another may be needed. `now` is milliseconds since the epoch. Call it inside a transaction. */
	readonly removeSlice: (now: number, limits: JournalLimits) => boolean;
};

const rowsPerSlice = 200;
const pagesPerSlice = 2000;
const dayMilliseconds = 24 * 60 * 60 * 1000;

/** An accepted event is retained while its run or window is open, and an open run, or one that cannot be read, always (docs/journal.md, Accepted means kept). */
const open = `('queued', 'running', 'inbox', 'unreadable')`;
/** Unsent messages are retained, too. */
const unsent = `('pending', 'sending', 'retrying', 'unreadable')`;
const closedEvents = `
	FROM events WHERE NOT EXISTS (SELECT 1 FROM runs WHERE runs.event_id = events.id AND runs.state IN ${open})
	AND NOT EXISTS (SELECT 1 FROM windows WHERE windows.event_id = events.id)
`;

/** Anybody can cause them, so they go before what was accepted. */
export const refusedRemoval = `
	DELETE FROM events WHERE sequence IN (
		SELECT sequence FROM events WHERE outcome = 'rejected' ORDER BY time LIMIT ${rowsPerSlice}
	)
`;

/** The bytes of an event that may be many: those of its body and its files, which go with it. */
const eventBytes = `coalesce(length(body), 0) + coalesce(
	(SELECT sum(length(content)) FROM event_files WHERE event_files.event_id = events.id), 0
)`;

const cutoffRow = z.object({cutoff: z.number().nullable()});
const bytesRow = z.object({bytes: z.number()});

/** Prepares the statements that remove rows. */
export function createRetention(database: DatabaseSync): Retention {
	const removals = [
		`DELETE FROM events WHERE sequence IN (SELECT sequence ${closedEvents} AND time < ? ORDER BY time LIMIT ${rowsPerSlice})`,
		`DELETE FROM runs WHERE sequence IN (
			SELECT sequence FROM runs WHERE changed_at < ? AND state NOT IN ${open} ORDER BY changed_at LIMIT ${rowsPerSlice}
		)`,
		`DELETE FROM calls WHERE sequence IN (SELECT sequence FROM calls WHERE time < ? ORDER BY time LIMIT ${rowsPerSlice})`,
		`DELETE FROM decisions WHERE sequence IN (
			SELECT sequence FROM decisions WHERE time < ? ORDER BY time LIMIT ${rowsPerSlice}
		)`,
		`DELETE FROM answers WHERE sequence IN (
			SELECT sequence FROM answers WHERE changed_at < ? AND state NOT IN ${unsent} ORDER BY changed_at LIMIT ${rowsPerSlice}
		)`,
	].map(statement => database.prepare(statement));
	const removeClaims = database.prepare(`
		DELETE FROM deliveries WHERE (route, delivery_id) IN (
			SELECT route, delivery_id FROM deliveries WHERE expires_at <= ? ORDER BY expires_at LIMIT ${rowsPerSlice}
		)
	`);
	const removeSpending = ['spending', 'day_limits'].map(table =>
		database.prepare(`DELETE FROM ${table} WHERE date < ?`),
	);
	const removeTasks = database.prepare('DELETE FROM tasks WHERE expires_at <= ? AND left_milliseconds IS NULL');
	const removeMessages = database.prepare(
		`DELETE FROM remote_messages WHERE changed_at < ? AND (state = 'ended' OR changed_at < ?)`,
	);
	const forgetNodes = database.prepare(`DELETE FROM nodes WHERE state <> 'alive' AND seen_at < ?`);
	const oldest = database.prepare(`
		SELECT max(time) + 1 AS cutoff FROM (
			SELECT time, sum(bytes) OVER (ORDER BY time ROWS UNBOUNDED PRECEDING) - bytes AS passed FROM (
				SELECT * FROM (SELECT time, ${eventBytes} AS bytes ${closedEvents} ORDER BY time LIMIT ${rowsPerSlice})
				UNION ALL SELECT * FROM (
					SELECT changed_at, 0 FROM runs WHERE state NOT IN ${open} ORDER BY changed_at LIMIT ${rowsPerSlice}
				)
				UNION ALL SELECT * FROM (SELECT time, 0 FROM calls ORDER BY time LIMIT ${rowsPerSlice})
				UNION ALL SELECT * FROM (SELECT time, 0 FROM decisions ORDER BY time LIMIT ${rowsPerSlice})
				UNION ALL SELECT * FROM (
					SELECT changed_at, 0 FROM answers WHERE state NOT IN ${unsent} ORDER BY changed_at LIMIT ${rowsPerSlice}
				)
				ORDER BY time LIMIT ${rowsPerSlice}
			)
		) WHERE passed < ?
	`);
	const removeRefused = database.prepare(refusedRemoval);
	const size = database.prepare(`
		SELECT (page_count - freelist_count) * page_size AS bytes
		FROM pragma_page_count(), pragma_freelist_count(), pragma_page_size()
	`);

	const removeBefore = (cutoff: number) =>
		removals.reduce((removed, removal) => removed + Number(removal.run(cutoff).changes), 0);
	const excessOver = (maxBytes: number) => (parseRows(bytesRow, size.all())[0]?.bytes ?? 0) - maxBytes;
	/** Closed rows before this time are removed because the file is too large: the oldest slice, or fewer if their bodies and files are as large as the excess. */
	const sizeCutoff = (excess: number) => parseRows(cutoffRow, oldest.all(excess))[0]?.cutoff ?? 0;

	return {
		removeSlice(now, {maxAgeDays, maxBytes}) {
			const excess = excessOver(maxBytes);
			const refused = excess > 0 ? Number(removeRefused.run().changes) : 0;
			const cutoff = refused === 0 && excess > 0 ? sizeCutoff(excess) : 0;
			const removedRows = removeBefore(Math.max(now - maxAgeDays * dayMilliseconds, cutoff));
			removeTasks.run(now);
			// For a day a late press learns that the message decides nothing.
			removeMessages.run(now - dayMilliseconds, now - maxAgeDays * dayMilliseconds);
			forgetNodes.run(now - forgetAfterMilliseconds);
			removeSpending.forEach(removal => removal.run(oldestDate(now, maxAgeDays)));
			const removed = refused + removedRows + Number(removeClaims.run(now).changes);
			database.exec(`PRAGMA incremental_vacuum(${pagesPerSlice})`);
			return removed > 0;
		},
	};
}
