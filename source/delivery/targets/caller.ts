import {laterUrlFault} from '../../config/webhooks/presets/later-url.ts';
import {type LaterRequest, type Preset} from '../../config/webhooks/presets/preset.ts';
import {presets} from '../../config/webhooks/presets/preset-table.ts';
import {type EventCaller} from '../../state/event-caller.ts';
import {renderAnswerBody} from '../../util/templates/answer-body.ts';
import {isJsonObject, type JsonObject, ownMember, parseJson} from '../../util/json-text.ts';
import {escapeSlack} from '../dialects.ts';
import {parseDeliveryResponse, textAt} from '../parse-response.ts';
import {type SendOutcome} from '../send-outcome.ts';
import {type DeliveryTarget} from '../target.ts';

/** The sender of an event, at the address that its signed message named. It gets one request, whatever comes of it. */
export const caller = {
	name: 'caller',
	// The result was cut to the provider's length.
	limit: {unit: 'utf16', maximum: 1_000_000},
	repeat: () => 'unsafe',
	chat: () => ({kind: 'bound'}),
	async send({text, caller: from}, {call, now}) {
		const to = from?.later;
		const later = to && presetOf(to.preset)?.answers?.later;
		if (!from || to?.kind !== 'address' || later?.by !== 'request') {
			const detail = to?.kind === 'refused' ? to.reason : 'the caller waits no more and named no address';
			return {kind: 'refused', detail};
		}

		const fault = laterUrlFault(to.url, later.host);
		if (fault !== undefined || now() > to.validUntil) {
			return {kind: 'refused', detail: fault ?? 'its address is not valid any more'};
		}

		const answer = await call({url: new URL(to.url), method: later.method, json: messageOf(text, from, later)});
		return once(
			parseDeliveryResponse(answer, json => ({isTaken: true, words: textAt(json, 'error') || textAt(json, 'message')})),
		);
	},
} satisfies DeliveryTarget & {readonly name: 'caller'};

function presetOf(name: string): Preset | undefined {
	return Object.entries(presets).find(([known]) => known === name)?.[1];
}

/** A JSON body of the route's own is a message already; any other one is the text of a message. */
function messageOf(result: string, {body}: EventCaller, later: LaterRequest): JsonObject {
	const {members, textMember, escapes, messageMember} = later;
	const isJson = body.contentType === 'application/json';
	const text = renderAnswerBody(body, result);
	const own = isJson ? parseJson(text) : undefined;
	const message = messageMember !== undefined && isJsonObject(own) ? ownMember(own, messageMember) : own;
	if (isJsonObject(message)) {
		return {...members, ...message};
	}

	const shown = body.contentType === 'text/plain' ? text : result;
	return {...members, [textMember]: escapes === 'slack' ? escapeSlack(shown) : shown};
}

/** Other settings help none of these, and none is sent again. */
function once(outcome: SendOutcome): SendOutcome {
	return outcome.kind === 'sent' || outcome.kind === 'unknown' ? outcome : {kind: 'refused', detail: outcome.detail};
}
