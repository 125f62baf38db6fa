import {type RecentEvent, mostRecentEvents} from './unresolved-variables.ts';

/** Stored events, wherever they are read: in this process or through the control socket. */
export type StoredEvents = {
	readonly list: (query: {
		readonly route: string;
		readonly limit: number;
	}) => Promise<ReadonlyArray<{readonly id: string; readonly outcome: string}>>;
	/** `body` is text, with its encoding undone. */
	readonly show: (
		id: string,
	) => Promise<{readonly body: string | null; readonly headers: Readonly<Record<string, string>>} | null>;
};

const looked = 50;
const taken = new Set(['accepted', 'coalesced', 'delivered', 'delivery_failed', 'outcome_uncertain']);

/** The latest events a route acted on, to compare its templates with. */
export async function readRecentEvents(stored: StoredEvents, route: string): Promise<readonly RecentEvent[]> {
	const rows = await stored.list({route, limit: looked});
	const acted = rows.filter(({outcome}) => taken.has(outcome)).slice(0, mostRecentEvents);
	const events = await Promise.all(acted.map(({id}) => stored.show(id)));
	return events.flatMap(event =>
		event && event.body !== null ? [{body: Buffer.from(event.body, 'utf8'), headers: event.headers}] : [],
	);
}
