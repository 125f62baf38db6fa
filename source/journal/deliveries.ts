import {type DatabaseSync} from 'node:sqlite';
import {z} from 'zod';
import {readRows} from './read-rows.ts';

/** The delivery ids a route has seen, each until its time is over (spec/webhooks.md, Limits: idempotency). Times are milliseconds since the epoch. */
export type DeliveryTable = {
	/** True while a claim of that id holds. */
	readonly isClaimed: (claim: {readonly route: string; readonly deliveryId: string; readonly now: number}) => boolean;
	/** Claims the id until `expiresAt`; an older claim is replaced, so ask first. */
	readonly claim: (claim: {
		readonly route: string;
		readonly deliveryId: string;
		readonly expiresAt: number;
		/** The event whose end decides whether the claim holds; absent: it holds. */
		readonly openEvent?: string;
	}) => void;
	/** The event ended well, or may have: its claim holds. */
	readonly confirm: (eventId: string) => void;
	/** Releases every claim whose event has not ended; answers those events. */
	readonly releaseOpen: () => readonly string[];
	readonly release: (route: string, deliveryId: string) => void;
};

const openRow = z.object({id: z.string()});

/** Opens the table of a migrated database. */
export function createDeliveryTable(database: DatabaseSync): DeliveryTable {
	const find = database.prepare('SELECT 1 FROM deliveries WHERE route = ? AND delivery_id = ? AND expires_at > ?');
	const claim = database.prepare(
		'INSERT OR REPLACE INTO deliveries (route, delivery_id, expires_at, open_event) VALUES (?, ?, ?, ?)',
	);
	const release = database.prepare('DELETE FROM deliveries WHERE route = ? AND delivery_id = ?');
	const confirm = database.prepare('UPDATE deliveries SET open_event = NULL WHERE open_event = ?');
	const releaseOpen = database.prepare(
		'DELETE FROM deliveries WHERE open_event IS NOT NULL RETURNING open_event AS id',
	);
	return {
		isClaimed: ({route, deliveryId, now}) => find.get(route, deliveryId, now) !== undefined,
		claim: ({route, deliveryId, expiresAt, openEvent}) =>
			void claim.run(route, deliveryId, expiresAt, openEvent ?? null),
		confirm: eventId => void confirm.run(eventId),
		releaseOpen: () => readRows(openRow, () => releaseOpen.all()).map(({id}) => id),
		release: (route, deliveryId) => void release.run(route, deliveryId),
	};
}
