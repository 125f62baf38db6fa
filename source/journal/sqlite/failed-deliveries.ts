import {type DatabaseSync} from 'node:sqlite';
import {orderedId} from '../../util/random-id.ts';
import {type AnswerRecord, type AnswerState, type FailedDelivery, type FailedDeliveryChange} from '../records.ts';
import {type DeliveryEnd, failedRow, isFailure} from '../rows/failed-delivery-rows.ts';
import {boundedLimit, readRows} from '../rows/read-rows.ts';

/**
Where deliveries fail: one row per profile, route or job, and platform, until a later delivery there arrives or a person dismisses it
(docs/delivery.md, Failed deliveries). Write inside a transaction.
*/
export type FailedDeliveryTable = {
	/** Whether the end of a delivery in this state changes the table. */
	readonly isChangedBy: (state: AnswerState) => boolean;
	/** Takes over the end of a delivery; undefined when nothing has changed. */
	readonly note: (answer: AnswerRecord, end: DeliveryEnd) => FailedDeliveryChange | undefined;
	/** Removes the rows of these ids. */
	readonly dismiss: (ids: readonly string[]) => readonly FailedDeliveryChange[];
	/** Oldest failure first. */
	readonly list: (query: {readonly limit: number}) => readonly FailedDelivery[];
};

const columns = `id, profile, route, job, target, failures, first_at AS firstAt, last_at AS lastAt, reason, event_id AS eventId`;

/** Prepares the statements of the table. */
export function createFailedDeliveryTable(database: DatabaseSync): FailedDeliveryTable {
	const some = database.prepare('SELECT 1 FROM failed_deliveries LIMIT 1');
	const fail = database.prepare(`
		INSERT INTO failed_deliveries (id, profile, route, job, target, failures, first_at, last_at, reason, event_id)
		VALUES (?1, ?2, ?3, ?4, ?5, 1, ?6, ?6, ?7, ?8)
		ON CONFLICT (profile, route, job, target) DO UPDATE
		SET failures = failures + ?9, last_at = excluded.last_at, reason = excluded.reason, event_id = excluded.event_id
		RETURNING ${columns}
	`);
	const arrive = database.prepare(
		`DELETE FROM failed_deliveries WHERE profile = ? AND route = ? AND job = ? AND target = ? RETURNING ${columns}`,
	);
	const dismiss = database.prepare(`DELETE FROM failed_deliveries WHERE id = ? RETURNING ${columns}`);
	const list = database.prepare(`SELECT ${columns} FROM failed_deliveries ORDER BY first_at, id LIMIT ?`);
	return {
		isChangedBy(state) {
			return isFailure(state) || (state === 'sent' && some.get() !== undefined);
		},
		note(answer, {state, detail = '', now, write = 'changed'}) {
			const {profile = '', route, job = '', target, eventId} = answer;
			const place = [profile, route, job, target] as const;
			if (isFailure(state)) {
				const [delivery] = readRows(failedRow, () =>
					fail.all(orderedId(now), ...place, now, detail, eventId, write === 'changed' ? 1 : 0),
				);
				return delivery && {kind: 'failing', delivery};
			}

			const [delivery] = state === 'sent' ? readRows(failedRow, () => arrive.all(...place)) : [];
			return delivery && {kind: 'cleared', delivery, by: 'delivery'};
		},
		dismiss: ids =>
			ids
				.flatMap(id => readRows(failedRow, () => dismiss.all(id)))
				.map(delivery => ({kind: 'cleared', delivery, by: 'person'})),
		list: ({limit}) => readRows(failedRow, () => list.all(boundedLimit(limit))),
	};
}
