import {z} from 'zod';
import {type AcceptOutcome} from '../rows/accept-rows.ts';
import {type Owner} from '../rows/node-rows.ts';
import {type Query, readRows} from '../tables/query.ts';
import {limitsOf, type QueueReservation} from './queue-reservation.ts';
import {type EventFileTable} from '../tables/event-files.ts';
import {type WindowTable} from '../tables/waiting-runs.ts';
import {type AcceptedEvent, keyOf, writeEvents} from './write-events.ts';

/** Dependencies of accepting, besides the events. */
type Accepting = {
	readonly windows: Pick<WindowTable, 'put'>;
	readonly files: Pick<EventFileTable, 'insert'>;
	readonly owner: Owner;
	readonly reservation: QueueReservation;
};

/** Another process was quicker with something that this transaction builds on: nothing may be committed, and all of it is tried again. */
export class LostRace extends Error {
	override readonly name = 'LostRace';
}

const claimName = z.object({route: z.string(), deliveryId: z.string()});
const foundRow = z.object({
	kind: z.enum(['claim', 'open claim', 'window']),
	route: z.string(),
	name: z.string(),
	value: z.number(),
});

/** The facts that decide about events: claims of delivery ids, open windows, the number of waiting runs, and the places that are reserved for more. */
type Known = {
	readonly claims: Map<string, {readonly expiresAt: number; readonly isOpen: boolean}>;
	readonly windows: Set<string>;
	waiting: number;
	places: number;
};

/**
Claims delivery ids and writes events, runs and messages, by one statement where that can decide about all of them. Places for the runs were reserved before.
A full queue leaves the delivery id unclaimed, so that the sender's retry is no duplicate (docs/journal.md, Accepted means kept).
*/
export async function acceptEvents(
	query: Query,
	accepting: Accepting,
	events: readonly AcceptedEvent[],
): Promise<readonly AcceptOutcome[]> {
	return (await acceptAtOnce(query, accepting, events)) ?? acceptInTurn(query, accepting, events);
}

/**
The same by one statement, which is a transaction of its own unless one is under way. Undefined: nothing was written, as the queue has no place for all
of them, as some depend on each other (those of one delivery id, and those of coalescing windows), or as one has files.
*/
export async function acceptAtOnce(
	query: Query,
	{owner, reservation}: Pick<Accepting, 'owner' | 'reservation'>,
	events: readonly AcceptedEvent[],
): Promise<readonly AcceptOutcome[] | undefined> {
	const claims = events.flatMap(({rows: {claim}}) => (claim ? [keyOf(claim.route, claim.deliveryId)] : []));
	const limits = limitsOf(events);
	const {owner: reservedBy, places, waiting} = reservation.reserved();
	const runs = events.filter(({rows}) => rows.run).length;
	const isTooMany = limits.length > 0 && (places < limits.length || waiting + runs > Math.min(...limits));
	if (isTooMany || events.some(({rows}) => rows.window || rows.files) || new Set(claims).size < claims.length) {
		return undefined;
	}

	const reserved = limits.length > 0 && {owner: reservedBy, count: limits.length};
	const written = await writeEvents(query, events, {owner, ...(reserved && {reserved})});
	if (!written.fits) {
		throw reservationLost();
	}

	reservation.use(written.queued);
	const outcomeOf = (index: number) => (written.open.has(index) ? 'open' : 'duplicate');
	const outcomes = events.map((_, index) => (written.refused.has(index) ? outcomeOf(index) : 'accepted'));
	return takeOverClaims(query, {events, outcomes, owner});
}

/** Others take back what a gateway that was declared dead has reserved, and a command. */
function reservationLost(): LostRace {
	return new LostRace('the places in the queue were taken back');
}

/** Reads what decides about the events, then writes those that are accepted. */
async function acceptInTurn(
	query: Query,
	{windows, files, owner, reservation}: Accepting,
	events: readonly AcceptedEvent[],
): Promise<readonly AcceptOutcome[]> {
	const {places, waiting} = reservation.reserved();
	const known: Known = {...(await readKnown(query, events)), places, waiting};
	const open = new Set(known.windows);
	const outcomes = events.map(event => decide(event, known));
	const accepted = events.filter((_, index) => outcomes[index] === 'accepted');
	const written = await (accepted.length > 0 && writeEvents(query, accepted, {owner}));
	if (written && written.refused.size > 0) {
		throw new LostRace('a delivery id was claimed meanwhile');
	}

	for (const {rows, contents} of accepted) {
		// A statement of its own binds the content as bytes; in a list of bytes it would be a text of twice the length.
		await (rows.files && files.insert(rows.files, contents));
		const isOpened = rows.run && rows.window && (await windows.put(rows.window, rows.run)) === 'opened';
		if (isOpened && open.has(keyOf(rows.window.route, rows.window.key))) {
			throw new LostRace('a window was closed meanwhile, so that its run has no place');
		}
	}

	const taken = places - known.places;
	if (!(await reservation.take(taken))) {
		throw reservationLost();
	}

	reservation.use(taken);
	return takeOverClaims(query, {events, outcomes, owner});
}

/**
A claim that makes an event a duplicate counts as this gateway's before that is answered: the gateway which refused its sender the first time, since it did
not hear that the event is on disk, withdraws it no more. An event that it has withdrawn meanwhile is `open`: the sender comes
again. Asked behind the statement that writes events, which would have to look for the claims of each.
*/
async function takeOverClaims(
	query: Query,
	{
		events,
		outcomes,
		owner,
	}: {
		readonly events: readonly AcceptedEvent[];
		readonly outcomes: readonly AcceptOutcome[];
		readonly owner: Owner;
	},
): Promise<readonly AcceptOutcome[]> {
	const claims = events.flatMap(({rows: {claim}}, index) => (claim && outcomes[index] === 'duplicate' ? [claim] : []));
	if (claims.length === 0) {
		return outcomes;
	}

	const text = `
		UPDATE deliveries SET owner = $3 WHERE (route, delivery_id) IN (SELECT * FROM unnest($1::text[], $2::text[]))
		RETURNING route, delivery_id AS "deliveryId"`;
	const names = [claims.map(({route}) => route), claims.map(({deliveryId}) => deliveryId)];
	const taken = await readRows(claimName, query(text, [...names, owner.instanceId]));
	const keys = new Set(taken.map(({route, deliveryId}) => keyOf(route, deliveryId)));
	return outcomes.map((outcome, index) => {
		const claim = events[index]?.rows.claim;
		return outcome === 'duplicate' && claim && !keys.has(keyOf(claim.route, claim.deliveryId)) ? 'open' : outcome;
	});
}

/** Decides as if the events came one after another: each sees those before it. */
function decide({rows: {claim, run, window, queueLimit}, now}: AcceptedEvent, known: Known): AcceptOutcome {
	const earlier = claim && known.claims.get(keyOf(claim.route, claim.deliveryId));
	if (earlier && earlier.expiresAt > now) {
		return earlier.isOpen ? 'open' : 'duplicate';
	}

	const windowKey = window && keyOf(window.route, window.key);
	const needsPlace = run && !(windowKey !== undefined && known.windows.has(windowKey));
	if (needsPlace && queueLimit !== undefined && (known.places === 0 || known.waiting >= queueLimit)) {
		return 'queue-full';
	}

	known.waiting += needsPlace ? 1 : 0;
	known.places -= needsPlace && queueLimit !== undefined ? 1 : 0;
	if (claim) {
		const {route, deliveryId, expiresAt, openEvent} = claim;
		known.claims.set(keyOf(route, deliveryId), {expiresAt, isOpen: openEvent !== undefined});
	}

	if (run && windowKey !== undefined) {
		known.windows.add(windowKey);
	}

	return 'accepted';
}

async function readKnown(query: Query, events: readonly AcceptedEvent[]): Promise<Pick<Known, 'claims' | 'windows'>> {
	const claims = events.flatMap(({rows: {claim}}) => (claim ? [claim] : []));
	const windows = events.flatMap(({rows: {window}}) => (window ? [window] : []));
	const text = `
		SELECT CASE WHEN open_event IS NULL THEN 'claim' ELSE 'open claim' END AS kind, route, delivery_id AS name,
			expires_at AS value FROM deliveries
		WHERE (route, delivery_id) IN (SELECT * FROM unnest($1::text[], $2::text[]))
		UNION ALL SELECT 'window', route, key, 0 FROM windows WHERE (route, key) IN (SELECT * FROM unnest($3::text[], $4::text[]))`;
	const found = await readRows(
		foundRow,
		query(text, [
			claims.map(({route}) => route),
			claims.map(({deliveryId}) => deliveryId),
			windows.map(({route}) => route),
			windows.map(({key}) => key),
		]),
	);
	const ofKind = (...kinds: readonly string[]) => found.filter(({kind}) => kinds.includes(kind));
	return {
		claims: new Map(
			ofKind('claim', 'open claim').map(({kind, route, name, value}) => [
				keyOf(route, name),
				{expiresAt: value, isOpen: kind === 'open claim'},
			]),
		),
		windows: new Set(ofKind('window').map(({route, name}) => keyOf(route, name))),
	};
}
