import {type AcceptOutcome, type AcceptRows} from '../rows/accept-rows.ts';
import {type DeliveryClaim} from '../rows/event-rows.ts';
import {type Writer} from '../rows/node-rows.ts';
import {type Query} from '../tables/query.ts';
import {type Tables} from '../tables/transactions.ts';

const findClaim = 'SELECT open_event FROM deliveries WHERE route = $1 AND delivery_id = $2 AND expires_at > $3';
const putClaim =
	'INSERT OR REPLACE INTO deliveries (route, delivery_id, expires_at, open_event, owner) VALUES ($1, $2, $3, $4, $5)';
const findWindow = 'SELECT 1 FROM windows WHERE route = $1 AND key = $2';

/** Accepts one event after another within a transaction: a statement of a file costs no round trip, unlike one of a database (`postgres/accept-events.ts`). */
export function createAccept(
	query: Query,
	{events, answers, queue, windows}: Tables,
	writer: Writer,
): (now: number, rows: AcceptRows, body: Uint8Array | undefined) => Promise<AcceptOutcome> {
	const isFull = async ({run, window, queueLimit}: AcceptRows) => {
		if (!run || queueLimit === undefined) {
			return false;
		}

		const isOpen = window && (await query(findWindow, [window.route, window.key])).length > 0;
		return !isOpen && (await queue.count()) >= queueLimit;
	};

	const stateOf = async ({route, deliveryId}: DeliveryClaim, now: number) => {
		const [found] = await query(findClaim, [route, deliveryId, now]);
		const {open_event: openEvent} = (found ?? {}) as {readonly open_event?: string | null};
		return found ? (openEvent === null ? 'duplicate' : 'open') : 'free';
	};

	/** A full queue leaves the delivery id unclaimed, so that the sender's retry is no duplicate (docs/webhooks.md, Accepted means kept). */
	return async (now, rows, body) => {
		const {event, claim, message, run, window} = rows;
		const state = claim ? await stateOf(claim, now) : 'free';
		if (state !== 'free') {
			return state;
		}

		if (await isFull(rows)) {
			return 'queue-full';
		}

		if (claim) {
			const {route, deliveryId, expiresAt, openEvent = null} = claim;
			await query(putClaim, [route, deliveryId, expiresAt, openEvent, writer.incarnation]);
		}

		await (message && answers.insert(message, {state: 'sending', now}));
		await events.insert(event, body);
		await (run && (window ? windows.put(window, run) : queue.insert(run)));
		return 'accepted';
	};
}
