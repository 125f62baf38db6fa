import {deliveryNames} from '../../delivery/deliver.ts';
import {type CallRow, type DecisionRow, type Journal, type OutgoingMessageRow} from '../../journal/journal.ts';
import {type OlderRows} from '../../journal/rows/older-rows.ts';
import {type StoredEvent} from '../../state/entities/older-events.ts';
import {type GatewayEventBody} from '../../state/event.ts';
import {safeOrigin} from '../../state/origin.ts';
import {type OlderEventsPage} from '../../state/view-event.ts';
import {storedCallFinished} from '../../tools/call-report.ts';
import {safeText} from '../../util/safe-text.ts';
import {settledEvent} from '../../webhooks/pipeline/event-rows.ts';

type OlderEventSources = {
	readonly journal: Pick<Journal, 'listOlderRows'>;
	/** The profiles that the caller sees; rows of others are left out. */
	readonly profiles: readonly string[];
	/** The profile of messages that name none. */
	readonly first: string;
	/** Milliseconds since the epoch. */
	readonly now: number;
};

/** Rows of each kind in a page: about 200 kB of a socket. */
export const olderRowLimit = 200;

/** A page of what happened before a time, as the dashboard lists it (docs/dashboard.md, Events). */
export async function olderEvents(
	before: number | null,
	{journal, profiles, first, now}: OlderEventSources,
): Promise<OlderEventsPage & {readonly events: readonly StoredEvent[]}> {
	const rows = await journal.listOlderRows({before: before ?? now + 1, limit: olderRowLimit});
	const from = pageStart(rows);
	const events = [
		...rows.events.map(row => stored(settledEvent(row), row, row.time, row.time + row.ms)),
		...rows.calls.flatMap(row => storedCall(row, now)),
		...rows.decisions.map(row => stored(decisionEvent(row), row, row.time, row.time)),
		...rows.messages.flatMap(row => storedMessage(row, first)),
	];
	return {
		before,
		events: events
			.filter(({event, rowTime}) => rowTime >= from.time && profiles.includes(event.profile))
			.map(({event}) => event)
			.toSorted((one, other) => one.time - other.time),
		next: from.next,
	};
}

/**
Where the page begins and the next one goes on. A kind that fills its part may have more rows of the millisecond of its last one, so the page begins
behind that; if there is nothing behind it, the page has what it can of that millisecond.
*/
function pageStart(rows: OlderRows): {readonly time: number; readonly next: number | null} {
	const times = [
		rows.events.map(({time}) => time),
		rows.calls.map(({time}) => time),
		rows.decisions.map(({time}) => time),
		rows.messages.map(({changedAt}) => changedAt),
	];
	const last = Math.max(
		...times.map(ofKind => (ofKind.length < olderRowLimit ? Number.NEGATIVE_INFINITY : (ofKind.at(-1) ?? 0))),
	);
	if (last === Number.NEGATIVE_INFINITY) {
		return {time: last, next: null};
	}

	return times.flat().some(time => time > last) ? {time: last + 1, next: last + 1} : {time: last, next: last};
}

type Stored = {readonly event: StoredEvent; readonly rowTime: number};

type Settled = Extract<GatewayEventBody, {type: StoredEvent['type']}>;

/** An event at its end, with the time by which its row is found. */
function stored(
	event: GatewayEventBody,
	{profile, node}: {readonly profile: string; readonly node?: string | undefined},
	rowTime: number,
	time: number,
): Stored {
	// The functions that make them make events of these types alone.
	return {event: {...(event as Settled), ...(node !== undefined && {node}), time, profile}, rowTime};
}

/** A call without an end is under way, or nobody knows what became of it: both are in lists of their own. */
function storedCall(row: CallRow, now: number): readonly Stored[] {
	return row.end ? [stored(storedCallFinished(row, now), row, row.time, row.time + row.end.ms)] : [];
}

function decisionEvent({id, server, tool, outcome, scope, by, message, origin}: DecisionRow): GatewayEventBody {
	return {
		type: 'approval.settled',
		id,
		server: safeText(server),
		tool: safeText(tool, {maximumCharacters: 200}),
		outcome,
		...(scope && {scope}),
		...(by !== undefined && {by}),
		...(message !== undefined && {message: safeText(message)}),
		...(origin && {origin: safeOrigin(origin)}),
	};
}

const outcomes = {
	sent: 'delivered',
	failed: 'failed',
	outcome_uncertain: 'outcome_uncertain',
	retrying: 'retrying',
} as const;

/** A message that waits for its first attempt, or is being sent, is no delivery yet. */
function storedMessage(
	{state, profile, changedAt, nextAt, ...message}: OutgoingMessageRow,
	first: string,
): readonly Stored[] {
	if (state === 'pending' || state === 'sending' || state === 'unreadable') {
		return [];
	}

	const event: GatewayEventBody = {
		type: 'delivery.settled',
		...deliveryNames({...message, key: message.id}),
		outcome: outcomes[state],
		...(state === 'retrying' && nextAt !== undefined && {nextAt}),
	};
	return [stored(event, {profile: profile ?? first, node: message.node}, changedAt, changedAt)];
}
