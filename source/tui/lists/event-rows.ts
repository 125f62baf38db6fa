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
};

/** The row of a webhook request, tool call, decision or delivery. */
export function eventListRow(event: EventRow): ListRow {
	// Only a few of thousands of events are ever drawn.
	let known: EventParts | undefined;
	const parts = () => (known ??= partsOf(event));
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
		values: () => ({name: parts().subject, state: stateValue(parts().status), took: parts().ms}),
		isTimeless: true,
		repeats: {
			at: event.seq,
			text: () => {
				const {kind, subject, object, note, reason} = parts();
				return repeatedText(kind, event.outcome, subject, object, note, reason, event.profile);
			},
			line: width => eventLine({...parts(), ms: undefined}, event.time, width),
		},
		line: width => eventLine(parts(), event.time, width),
		detail: width => eventDetail(parts(), event, width),
	};
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

function webhookParts(event: Extract<EventRow, {type: 'webhook.settled'}>): EventParts {
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

function callParts(event: Extract<EventRow, {type: 'tool.finished'}>): EventParts {
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

function deliveryParts(event: Extract<EventRow, {type: 'delivery.settled'}>): EventParts {
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

function approvalParts(event: Extract<EventRow, {type: 'approval.settled'}>): EventParts {
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
	const event = snapshot.events.findLast(({seq}) => seq === picked);
	return event?.type === 'webhook.settled' ? event : undefined;
}
