import {shownId} from '../../util/id-part.ts';
import {sentName} from '../origin.ts';
import {type GatewayEvent} from '../event.ts';
import {type FailedDeliveryRow, type GatewayRow} from '../snapshot.ts';
import {dateAndTime, timeOfDay} from '../time-text.ts';
import {type At, type Entity, type Fields, glyphColumn, wordColumn} from './entity.ts';
import {failingText, type StatusLabel} from './status-text.ts';
import {groupedNumber} from '../number-text.ts';
import {tableOf} from './table.ts';

/** The deliveries that fail at a route or a platform, for its row: what is seen from the other end is named. */
export type Failures = {
	readonly rows: readonly FailedDeliveryRow[];
	readonly nameOf: (row: FailedDeliveryRow) => string;
	/** The gateway whose journal has the messages: commands are addressed to it. */
	readonly gateway: GatewayRow;
};

/** A row with the deliveries that fail for it. */
export type Failing<Row> = Row & {readonly failing: Failures};

/** Nothing fails there. */
export const noFailures: Failures = {rows: [], nameOf: () => '', gateway: {phase: 'starting'}};

/** The status of a row: while deliveries fail, its own would mislead. */
export function failingStatus<Row>(own: (row: Row) => StatusLabel): (row: Failing<Row>) => StatusLabel {
	return row => (isFailing(row) ? failingText : own(row));
}

/** The first line of its details: the failure, then its own state. */
export function failingStatusLine<Row>(own: (row: Row) => StatusLabel): Entity<Failing<Row>>['statusLine'] {
	return {
		label: 'state',
		more: row => (isFailing(row) ? {text: ` (${own(row).word})`, tone: 'normal'} : undefined),
	};
}

/** Its state as filters compare it. */
export function failingState(state: string, row: Failing<unknown>): string {
	return isFailing(row) ? `${state} ${failingText.word}` : state;
}

/** True if deliveries of a row fail. */
export function isFailing({failing}: Failing<unknown>): boolean {
	return failing.rows.length > 0;
}

/** `12 to telegram not delivered: status 403`: all failures of a row, and the reason of the last one. Empty when there are none. */
export function failuresNote({failing: {rows, nameOf}}: Failing<unknown>): string {
	const last = rows.toSorted((first, second) => first.lastAt - second.lastAt).at(-1);
	const count = rows.reduce((sum, {failures}) => sum + failures, 0);
	return last ? `${groupedNumber(count)} ${nameOf(last)} not delivered: ${last.reason}` : '';
}

/** The failures with time, reason and next step, as labels and texts. */
export function failureNotes(
	{failing: {rows, nameOf, gateway}}: Failing<unknown>,
	{keys: {named}}: At,
): ReadonlyArray<readonly [label: string, text: string]> {
	const profile = gateway.phase === 'running' && gateway.profile !== 'default' ? ` --profile ${gateway.profile}` : '';
	return rows.flatMap(row => {
		const {failures, firstAt, lastAt, reason, eventId} = row;
		const since = failures === 1 ? `at ${timeOfDay(lastAt)}` : `since ${timeOfDay(firstAt)}, last ${timeOfDay(lastAt)}`;
		const again =
			eventId === '' ? '' : `sluice events replay ${shownId(eventId)} --deliver${profile} sends the last one again`;
		const next = [named('dismiss-deliveries', 'dismisses'), again, 'it is over when a later one arrives'];
		return [
			['failed', `${groupedNumber(failures)} ${nameOf(row)} ${since}: ${reason}`],
			['next', next.filter(Boolean).join('; ')],
		];
	});
}

/** The properties of a message to a platform. */
export const deliveryFields = {
	id: {json: 'id'},
	/** Of its last change. */
	time: {json: 'time'},
	target: {json: 'text'},
	/** `retrying`: it certainly did not arrive, and is sent again at `next_at`. */
	state: {json: ['pending', 'sending', 'retrying', 'sent', 'failed', 'outcome_uncertain', 'unreadable']},
	next_at: {json: 'time?'},
	/** Attempts after which the message had certainly not arrived. */
	attempts: {json: 'count'},
	/** Parts of a long message that arrived, and all of its parts; null for one that has a single part. */
	parts_sent: {json: 'count?'},
	parts: {json: 'count?'},
	/** The reply of the platform. */
	detail: {json: 'text?'},
	route: {json: 'text?'},
	job: {json: 'text?'},
	event_id: {json: 'text?'},
	run_id: {json: 'text?'},
	profile: {json: 'text'},
	node: {json: 'text-?'},
} as const satisfies Fields<object>;

/** `sluice deliveries list`. */
export const deliveryTable = tableOf(deliveryFields, [
	'time',
	'id',
	'target',
	{title: 'FROM', cell: ({route, job}) => route ?? job ?? ''},
	'state',
	{title: 'NEXT ATTEMPT', cell: ({next_at: at}) => (at === null ? '' : dateAndTime(at))},
	{title: 'PARTS', cell: ({parts_sent: sent, parts}) => (parts === null ? '' : `${sent ?? 0} of ${parts}`)},
	'detail',
]);

/** The properties of a route or job and the platform to which its deliveries fail. */
export const failedDeliveryFields = {
	id: {json: 'text'},
	profile: {json: 'text', text: ({profile}) => profile},
	/** Null when no webhook event led to the messages. */
	route: {
		json: 'text?',
		label: ({route}) => (route === '' ? 'job' : 'route'),
		text: ({route}) => route,
		detail: ({route, job}) => route || job,
	},
	job: {json: 'text?', text: ({job}) => job ?? ''},
	target: {json: 'text', label: 'platform', text: ({target}) => target},
	failures: {json: 'count'},
	first_at: {json: 'time'},
	last_at: {json: 'time'},
	/** That of the last failure. */
	reason: {json: 'text', text: ({reason}) => reason},
	/** For `events replay ID --deliver`. */
	event_id: {json: 'text?'},
	state: {text: () => 'failing'},
} as const satisfies Fields<FailedDeliveryRow>;

const status = () => failingText;

/** Failed deliveries among what needs a person. */
export const failedDeliveryEntity: Entity<Failing<FailedDeliveryRow>, keyof typeof failedDeliveryFields> = {
	fields: failedDeliveryFields,
	id: failedDeliveryId,
	status,
	statusLine: {label: 'state'},
	filter: ['route', 'job', 'target', 'state', 'reason', 'profile'],
	notes: failureNotes,
	details: ['route', 'target', 'profile'],
	columns: [
		glyphColumn(status),
		wordColumn(status, {narrow: 8, wide: 14}),
		{narrow: 14, wide: [21, 0.2], tone: 'strong', text: failedFrom},
		{narrow: 'rest', wide: 'rest', tone: 'dim', text: row => failuresNote(row).replaceAll('\n', ' ')},
	],
	values: row => ({name: failedFrom(row)}),
	isTrouble: () => true,
};

/** The place where deliveries fail. */
function failedFrom({route, job, target}: FailedDeliveryRow): string {
	return route || job || target;
}

/** Failed deliveries share a list with requests, whose ids may collide: the prefix keeps them apart. */
export function failedDeliveryId({id}: Pick<FailedDeliveryRow, 'id'>): string {
	return `failing-${id}`;
}

/** The way of a message as a line of the log. */
export function deliveryLogText(event: Extract<GatewayEvent, {type: 'delivery.started' | 'delivery.settled'}>): string {
	const state = event.type === 'delivery.started' ? 'sending' : `${event.outcome}${event.code ? ` ${event.code}` : ''}`;
	return `${event.target} ${state}, ${sentName('delivery', event.delivery, event)}`;
}
