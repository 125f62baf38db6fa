import {type EventRow, type OlderEvents, type Snapshot} from '../snapshot.ts';
import {type OlderEventsPage} from '../view-event.ts';

/** A row of the journal as an event of the list; the console gives it its number. */
export type StoredEvent = EventRow extends infer Row ? (Row extends EventRow ? Omit<Row, 'seq'> : never) : never;

/** Bound on the events from the journal; more than that is found by a filter or `sluice events list`. */
export const maxOlderEvents = 5000;

type Events = Pick<Snapshot, 'events' | 'olderEvents'>;

const joined = new WeakMap<Events['events'], {readonly older: OlderEvents; readonly all: readonly EventRow[]}>();

/** All events that a console has, oldest first; the same list for the same two. */
export function listedEvents({events, olderEvents}: Events): readonly EventRow[] {
	if (!olderEvents) {
		return events;
	}

	const known = joined.get(events);
	if (known?.older === olderEvents) {
		return known.all;
	}

	const all = [...olderEvents.rows, ...events];
	joined.set(events, {older: olderEvents, all});
	return all;
}

/** The time before which the next page is asked for; null: now; undefined: there is none. */
export function nextOlder({events, olderEvents}: Events): number | null | undefined {
	if (olderEvents) {
		return olderEvents.next ?? undefined;
	}

	// Of the same millisecond some may have left the list.
	return events[0] ? events[0].time + 1 : null;
}

/** The older events with one more page. A page that was asked for from another place is dropped, and no event is there twice. */
export function withOlderPage(shown: Events, {before, events, next}: OlderEventsPage): OlderEvents | undefined {
	const {olderEvents} = shown;
	if (olderEvents && olderEvents.next !== before) {
		return olderEvents;
	}

	const known = new Set(listedEvents(shown).map(eventName));
	// The gateway has made them as `StoredEvent`, whose type a view cannot name.
	const added = (events as readonly StoredEvent[]).filter(event => !known.has(eventName(event)));
	const rows = olderEvents?.rows ?? [];
	const first = Math.min(0, rows[0]?.seq ?? 0) - added.length;
	const all = [...added.map((event, index): EventRow => ({...event, seq: first + index})), ...rows];
	return all.length < maxOlderEvents
		? {rows: all, next, reach: 'journal'}
		: {rows: all.slice(-maxOlderEvents), next: null, reach: 'bound'};
}

/** The older events with those that have left the list of the gateway since, so that none is missing between the two; undefined where some are. */
export function withDropped(
	older: OlderEvents,
	{before, after}: {readonly before: Events['events']; readonly after: Events['events']},
): OlderEvents | undefined {
	const [first] = after;
	const dropped = before === after || !first || before.length === 0 ? 0 : before.indexOf(first);
	if (dropped === 0) {
		return older;
	}

	if (dropped === -1) {
		return undefined;
	}

	const rows = [...older.rows, ...before.slice(0, dropped)];
	const kept = rows.slice(-maxOlderEvents);
	return rows.length > maxOlderEvents ? {rows: kept, next: null, reach: 'bound'} : {...older, rows: kept};
}

/** The name of what happened: the same in the journal and in the list of the gateway. */
function eventName(event: StoredEvent): string {
	switch (event.type) {
		case 'webhook.settled':
			return `event ${event.eventId}`;
		case 'tool.finished':
			return `call ${event.callId}`;
		case 'approval.settled':
			return `decision ${event.id}`;
		case 'delivery.settled':
			return `delivery ${event.messageId ?? `${event.delivery} ${event.target} ${event.time}`}`;
	}
}
