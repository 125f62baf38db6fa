import {type DatabaseSync} from 'node:sqlite';

/** The delivery ids a route has seen, each until its time is over (spec/webhooks.md, Limits: idempotency). Times are milliseconds since the epoch. */
export type DeliveryTable = {
	/** True while a claim of that id holds. */
	readonly isClaimed: (claim: {readonly route: string; readonly deliveryId: string; readonly now: number}) => boolean;
	/** Claims the id until `expiresAt`; an older claim is replaced, so ask first. */
	readonly claim: (claim: {readonly route: string; readonly deliveryId: string; readonly expiresAt: number}) => void;
	readonly release: (route: string, deliveryId: string) => void;
};

/** Opens the table of a migrated database. */
export function createDeliveryTable(database: DatabaseSync): DeliveryTable {
	const find = database.prepare('SELECT 1 FROM deliveries WHERE route = ? AND delivery_id = ? AND expires_at > ?');
	const claim = database.prepare('INSERT OR REPLACE INTO deliveries (route, delivery_id, expires_at) VALUES (?, ?, ?)');
	const release = database.prepare('DELETE FROM deliveries WHERE route = ? AND delivery_id = ?');
	return {
		isClaimed: ({route, deliveryId, now}) => find.get(route, deliveryId, now) !== undefined,
		claim: ({route, deliveryId, expiresAt}) => void claim.run(route, deliveryId, expiresAt),
		release: (route, deliveryId) => void release.run(route, deliveryId),
	};
}
