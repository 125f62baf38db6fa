import {listedEvents} from '../../state/entities/older-events.ts';
import {originText, sentName} from '../../state/origin.ts';
import {type EventRow, type Snapshot} from '../../state/snapshot.ts';
import {preciseTimeOfDay, timeOfDay} from '../../state/time-text.ts';
import {uiText} from '../../util/characters/ui-glyphs.ts';
import {tookText} from '../text/duration-text.ts';
import {wideCells} from './columns.ts';
import {type Fields, labelled, labelledStatus, type ListRow, repeatedText} from './list-row.ts';
import {cell, type Line, lineWithEnd, span} from '../text/span.ts';
import {approvalText, callText, deliveryText, type StatusLabel, webhookText} from '../../state/entities/status-text.ts';
import {stateValue} from './sorting.ts';
import {claimed, quoted, shownName} from '../../util/safe-text.ts';

/** An event as the columns that all kinds share. */
type EventParts = {
	readonly kind: string;
	readonly status: StatusLabel;
	/** Route, server or target. */
	readonly subject: string;
	/** Event, tool or delivery. */
	readonly object: string;
	readonly note: string;
	/** The reason for its outcome; absent: it is in the note. */
	readonly reason?: string;
	readonly ms: number | undefined;
	readonly fields: Fields;
	readonly more: ReadonlyArray<readonly [string, string]>;
	/** The ends of deliveries that it led to. */
	readonly delivered: ReadonlyArray<{readonly status: StatusLabel; readonly text: string}>;
};

/** A row that is a delivery. */
export type DeliveryEvent = Extract<EventRow, {type: 'delivery.settled'}>;

/** The row of a webhook request, tool call, decision or delivery; that of a webhook request has the deliveries that it led to, oldest first. */
export function eventListRow(event: EventRow, led: readonly DeliveryEvent[] = []): ListRow {
	// Only a few of thousands of events are ever drawn.
	let known: EventParts | undefined;
	const parts = () => (known ??= withDeliveries(partsOf(event), led));
	return {
		id: String(event.seq),
		copy: publicId(event),
		fields: () => ({
			type: parts().kind,
			outcome: event.outcome,
			note: parts().note,
			profile: event.profile,
			...parts().fields,
		}),
		values: () => ({name: parts().subject, state: stateValue(worstOf(parts())), took: parts().ms}),
		isTimeless: true,
		repeats: {
			at: event.seq,
			text: () => {
				const {kind, subject, object, note, reason, delivered} = parts();
				const ends = delivered.map(({text}) => text);
				return repeatedText(kind, event.outcome, subject, object, note, reason, event.profile, ...ends);
			},
			line: width => eventLine({...parts(), ms: undefined}, event.time, width),
		},
		line: width => eventLine(parts(), event.time, width),
		detail: width => eventDetail(parts(), event, width),
	};
}

/** The state of an event, or of a delivery of it that went wrong. */
function worstOf({status, delivered}: EventParts): StatusLabel {
	return delivered.find(({status: {tone}}) => tone !== 'good')?.status ?? status;
}

/** An event with the last end of each delivery that it led to. */
function withDeliveries(parts: EventParts, led: readonly DeliveryEvent[]): EventParts {
	const last = new Map(led.map(delivery => [`${delivery.messageId ?? ''} ${delivery.target}`, delivery]));
	const delivered = [...last.values()].map(delivery => {
		const {status, subject, note} = partsOf(delivery);
		return {status, text: [uiText`» ${subject} ${status.word}`, note].filter(Boolean).join(uiText` · `)};
	});
	if (delivered.length === 0) {
		return parts;
	}

	// The end of a line may be cut.
	delivered.sort((first, second) => Number(first.status.tone === 'good') - Number(second.status.tone === 'good'));

	const targets = [...last.values()].map(({target}) => target).join(' ');
	const lines = delivered.map(({text}): readonly [string, string] => ['delivery', text]);
	return {...parts, delivered, fields: {...parts.fields, target: targets}, more: [...parts.more, ...lines]};
}

/** The id by which logs, the API and other programs know an event. */
function publicId(event: EventRow): string {
	switch (event.type) {
		case 'webhook.settled':
			return event.eventId;
		case 'tool.finished':
			return event.callId;
		case 'delivery.settled':
			return event.delivery;
		case 'approval.settled':
			return event.id;
	}
}

function eventLine(parts: EventParts, time: number, width: number): Line {
	const {status} = parts;
	if (width < 60) {
		return [
			span(`${timeOfDay(time).slice(3)} `, 'dim'),
			span(`${status.glyph} `, status.tone),
			cell(parts.subject, 12, 'strong'),
			span([status.word, parts.note].filter(Boolean).join(': '), status.tone),
			...parts.delivered.map(end => span(` ${end.text}`, end.status.tone)),
		];
	}

	const isWide = width >= 100;
	const line = [
		span(`${isWide ? preciseTimeOfDay(time) : timeOfDay(time)} `, 'dim'),
		span(`${status.glyph} `, status.tone),
		cell(status.word, 14, status.tone),
		...(isWide ? [cell(parts.kind, 9, 'dim')] : []),
		cell(parts.subject, wideCells(15, 0.2, width), 'strong'),
		cell(parts.object, wideCells(15, 0.3, width)),
		span(parts.note, 'dim'),
		...parts.delivered.map(({text, status: {tone}}) => span(`${parts.note === '' ? '' : ' '}${text}`, tone)),
	];
	return parts.ms === undefined ? line : lineWithEnd(line, [span(` ${tookText(parts.ms)}`, 'dim')], width);
}

function eventDetail(parts: EventParts, event: EventRow, width: number): Line[] {
	return [
		labelledStatus('outcome', parts.status),
		...labelled('time', preciseTimeOfDay(event.time), width),
		...parts.more.flatMap(([label, text]) => labelled(label, text, width)),
		...labelled('reason', parts.reason ?? parts.note, width),
		...labelled('took', parts.ms === undefined ? '' : tookText(parts.ms), width),
		...labelled('profile', event.profile, width),
	];
}

function partsOf(event: EventRow): EventParts {
	return {...ownParts(event), delivered: []};
}

type OwnParts = Omit<EventParts, 'delivered'>;

function ownParts(event: EventRow): OwnParts {
	switch (event.type) {
		case 'webhook.settled':
			return webhookParts(event);
		case 'tool.finished':
			return callParts(event);
		case 'delivery.settled':
			return deliveryParts(event);
		case 'approval.settled':
			return approvalParts(event);
	}
}

function webhookParts(event: Extract<EventRow, {type: 'webhook.settled'}>): OwnParts {
	const {route, deliveryId, status, ms, node = ''} = event;
	return {
		kind: 'webhook',
		status: webhookText[event.outcome],
		subject: shownName(route),
		object: event.event && quoted(event.event),
		note: [String(status), event.reason ?? '', node && `node ${node}`].filter(Boolean).join(' '),
		ms,
		fields: {route, event: event.event, status: String(status), delivery: deliveryId, id: event.eventId, node},
		more: [
			['route', shownName(route)],
			['event', claimed('', event.event)],
			['delivery', claimed('', deliveryId)],
			['id', event.eventId],
			['node', node],
		],
	};
}

function callParts(event: Extract<EventRow, {type: 'tool.finished'}>): OwnParts {
	const {server, tool, callId, ms, node = ''} = event;
	const origin = originText(event.origin, uiText` · `);
	return {
		kind: 'call',
		status: callText[event.outcome],
		subject: server,
		object: shownName(tool),
		note: [event.code ?? '', node && `node ${node}`, origin].filter(Boolean).join(uiText` · `),
		reason: event.code ?? '',
		ms,
		fields: {server, tool, origin, code: event.code ?? '', id: callId, node},
		more: [
			['server', server],
			['tool', shownName(tool)],
			['from', origin],
			['call', callId],
			['node', node],
		],
	};
}

function deliveryParts(event: Extract<EventRow, {type: 'delivery.settled'}>): OwnParts {
	const {target, delivery, route = '', job = '', code = '', nextAt} = event;
	return {
		kind: 'delivery',
		status: deliveryText[event.outcome],
		subject: target,
		// The delivery id of a job is its own and says nothing.
		object: route || job || delivery,
		note: nextAt === undefined ? code : `again at ${timeOfDay(nextAt)}`,
		ms: undefined,
		fields: {target, route, job, delivery, code},
		more: [
			['target', target],
			['route', route],
			['job', job],
			['delivery', sentName('', delivery, event)],
		],
	};
}

function approvalParts(event: Extract<EventRow, {type: 'approval.settled'}>): OwnParts {
	const {server, tool, id, by = '', message = ''} = event;
	return {
		kind: 'approval',
		status: approvalText[event.outcome],
		subject: server,
		object: shownName(tool),
		note: [event.scope ?? '', by && `by ${by}`, message].filter(Boolean).join(uiText` · `),
		ms: undefined,
		fields: {server, tool, by, id},
		more: [
			['server', server],
			['tool', shownName(tool)],
			['request', id],
		],
	};
}

/** A row that is a webhook request. */
export type WebhookEvent = Extract<EventRow, {type: 'webhook.settled'}>;

/** The webhook event behind a row of the events view. */
export function webhookEvent(id: string | undefined, snapshot: Snapshot): WebhookEvent | undefined {
	// The picked row is mostly the newest.
	const picked = Number(id);
	const event = listedEvents(snapshot).findLast(({seq}) => seq === picked);
	return event?.type === 'webhook.settled' ? event : undefined;
}
