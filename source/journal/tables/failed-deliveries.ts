import {orderedId} from '../../util/random-id.ts';
import {type FailedDelivery, type FailedDeliveryChange} from '../rows/records.ts';
import {type OutgoingMessage, type OutgoingMessageState} from '../rows/message-records.ts';
import {type DeliveryEnd, failedRow, isFailure} from '../rows/failed-delivery-rows.ts';
import {boundedLimit} from '../rows/read-rows.ts';
import {type Query, readRows} from './query.ts';

/**
Where deliveries fail: one row per profile, route or job, and platform, until a later delivery there arrives or a person dismisses it
(docs/delivery.md, Failed deliveries). Write inside a transaction.
*/
export type FailedDeliveryTable = {
	/** True if the end of a delivery in this state may change the table. */
	readonly isChangedBy: (state: OutgoingMessageState) => Promise<boolean>;
	/** Takes over the end of a delivery; undefined when nothing has changed. */
	readonly note: (message: OutgoingMessage, end: DeliveryEnd) => Promise<FailedDeliveryChange | undefined>;
	/** Removes the rows of these ids. */
	readonly dismiss: (ids: readonly string[]) => Promise<readonly FailedDeliveryChange[]>;
	/** Oldest failure first. */
	readonly list: (query: {readonly limit: number}) => Promise<readonly FailedDelivery[]>;
};

const columns =
	'id, profile, route, job, target, failures, first_at AS "firstAt", last_at AS "lastAt", reason, event_id AS "eventId"';

/** The statements of the table. */
export function createFailedDeliveryTable(query: Query): FailedDeliveryTable {
	const fail = async (message: OutgoingMessage, {detail = '', now, write = 'changed'}: DeliveryEnd) => {
		const text = `
			INSERT INTO failed_deliveries (id, profile, route, job, target, failures, first_at, last_at, reason, event_id)
			VALUES ($1, $2, $3, $4, $5, 1, $6, $6, $7, $8)
			ON CONFLICT (profile, route, job, target) DO UPDATE SET failures = failed_deliveries.failures + $9,
				last_at = excluded.last_at, reason = excluded.reason, event_id = excluded.event_id
			RETURNING ${columns}`;
		const count = write === 'changed' ? 1 : 0;
		const values = [orderedId(now), ...placeOf(message), now, detail, message.eventId, count];
		return (await readRows(failedRow, query(text, values)))[0];
	};

	const arrive = async (message: OutgoingMessage) => {
		const text = `
			DELETE FROM failed_deliveries WHERE profile = $1 AND route = $2 AND job = $3 AND target = $4 RETURNING ${columns}`;
		return (await readRows(failedRow, query(text, placeOf(message))))[0];
	};

	return {
		isChangedBy: async state =>
			isFailure(state) || (state === 'sent' && (await query('SELECT 1 FROM failed_deliveries LIMIT 1')).length > 0),
		async note(message, end) {
			if (isFailure(end.state)) {
				const delivery = await fail(message, end);
				return delivery && {kind: 'failing', delivery};
			}

			const delivery = end.state === 'sent' ? await arrive(message) : undefined;
			return delivery && {kind: 'cleared', delivery, by: 'delivery'};
		},
		async dismiss(ids) {
			const text = `DELETE FROM failed_deliveries WHERE id = ANY($1) RETURNING ${columns}`;
			const dismissed = await readRows(failedRow, query(text, [ids]));
			return dismissed
				.sort((first, second) => ids.indexOf(first.id) - ids.indexOf(second.id))
				.map(delivery => ({kind: 'cleared', delivery, by: 'person'}));
		},
		list: ({limit}) =>
			readRows(
				failedRow,
				query(`SELECT ${columns} FROM failed_deliveries ORDER BY first_at, id LIMIT $1`, [boundedLimit(limit)]),
			),
	};
}

function placeOf({profile = '', route, job = '', target}: OutgoingMessage): readonly string[] {
	return [profile, route, job, target];
}
