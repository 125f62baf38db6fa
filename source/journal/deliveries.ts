import {type DatabaseSync} from 'node:sqlite';
import {z} from 'zod';
import {type DeliveryIndex, createDeliveryIndex, deliveryHash} from './delivery-index.ts';
import {jsonColumn, readRows} from './read-rows.ts';

/** A delivery id that a route received, and the current time in milliseconds since the epoch. */
type DeliveryName = {readonly route: string; readonly deliveryId: string; readonly now: number};

/**
The delivery ids a route has seen, each until it expires (docs/webhooks.md, Limits). Times are milliseconds since the epoch.
Rows are only appended, and looked up through an index in memory: ids are random, so an index in the file would touch one page per id.
Only one process at a time may therefore read and claim: the gateway, under its lock.
*/
export type DeliveryTable = {
	/** True while the id is claimed. */
	readonly isClaimed: (name: DeliveryName) => boolean;
	/** Claims the id until `expiresAt`; call `isClaimed` first. */
	readonly claim: (claim: {
		readonly route: string;
		readonly deliveryId: string;
		readonly expiresAt: number;
		/** The event whose outcome decides whether the claim stays; absent: it stays. */
		readonly openEvent?: string;
	}) => void;
	/** The event was acted on, or may have been: its claim stays. */
	readonly confirm: (eventId: string) => void;
	/** Decides the claims of all unsettled events: a claim stays if its event was acted on, else it is released. Returns the events of released claims. */
	readonly releaseOpen: (wasActedOn: (eventId: string) => boolean) => readonly string[];
	readonly release: (name: DeliveryName) => void;
};

const openRow = z.object({id: z.string()});

/** Prepares the statements of the table. */
export function createDeliveryTable(database: DatabaseSync): DeliveryTable {
	const holds = database.prepare(
		'SELECT 1 FROM deliveries WHERE sequence = ? AND route = ? AND delivery_id = ? AND expires_at > ?',
	);
	const insert = database.prepare(
		'INSERT INTO deliveries (hash, route, delivery_id, expires_at, open_event) VALUES (?, ?, ?, ?, ?)',
	);
	const remove = database.prepare('DELETE FROM deliveries WHERE sequence = ?');
	const confirm = database.prepare('UPDATE deliveries SET open_event = NULL WHERE open_event = ?');
	const listOpen = database.prepare('SELECT open_event AS id FROM deliveries WHERE open_event IS NOT NULL');
	const releaseEvent = database.prepare('DELETE FROM deliveries WHERE open_event = ?');
	let index: DeliveryIndex | undefined;
	const find = ({route, deliveryId, now}: DeliveryName) => {
		index ??= readIndex(database, now);
		return index.find(
			deliveryHash(route, deliveryId),
			now,
			sequence => holds.get(sequence, route, deliveryId, now) !== undefined,
		);
	};

	return {
		isClaimed: name => find(name) !== undefined,
		claim({route, deliveryId, expiresAt, openEvent}) {
			const hash = deliveryHash(route, deliveryId);
			const {lastInsertRowid} = insert.run(hash, route, deliveryId, expiresAt, openEvent ?? null);
			index?.add({hash, sequence: Number(lastInsertRowid), expiresAt});
		},
		confirm: eventId => void confirm.run(eventId),
		releaseOpen(wasActedOn) {
			const open = readRows(openRow, () => listOpen.all()).map(({id}) => id);
			const released = open.filter(id => !wasActedOn(id));
			open.filter(wasActedOn).forEach(id => confirm.run(id));
			released.forEach(id => releaseEvent.run(id));
			return released;
		},
		release(name) {
			const sequence = find(name);
			if (sequence !== undefined) {
				remove.run(sequence);
			}
		},
	};
}

const rowsAtOnce = 50_000;
const numbers = z.string().transform(jsonColumn).pipe(z.array(z.number()));
/** Columns of many rows as one array each: this reads a million ids in half a second, a quarter of the time of row by row. */
const columnsRow = z.object({sequences: numbers, hashes: numbers, expiries: numbers});

/** Builds the index of the active claims. */
function readIndex(database: DatabaseSync, now: number): DeliveryIndex {
	const read = database.prepare(`
		SELECT json_group_array(sequence) AS sequences, json_group_array(hash) AS hashes, json_group_array(expires_at) AS expiries
		FROM (SELECT sequence, hash, expires_at FROM deliveries WHERE sequence > ? AND expires_at > ? ORDER BY sequence LIMIT ?)
	`);
	const index = createDeliveryIndex();
	let last = Number.MIN_SAFE_INTEGER;
	for (let count = rowsAtOnce; count === rowsAtOnce; ) {
		const [columns] = readRows(columnsRow, () => read.all(last, now, rowsAtOnce));
		const {sequences = [], hashes = [], expiries = []} = columns ?? {};
		sequences.forEach((sequence, place) =>
			index.add({hash: hashes[place] ?? 0, sequence, expiresAt: expiries[place] ?? 0}),
		);
		count = sequences.length;
		last = sequences.at(-1) ?? last;
	}

	return index;
}
