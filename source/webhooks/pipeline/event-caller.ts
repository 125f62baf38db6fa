import {type LaterAnswer, type LaterRequest} from '../../config/webhooks/presets/preset.ts';
import {laterUrlFault} from '../../config/webhooks/presets/later-url.ts';
import {answersOf, type RespondConfig} from '../../config/webhooks/respond-entry.ts';
import {type EventCaller, type LaterAddress} from '../../state/event-caller.ts';
import {isJsonObject, type JsonObject, type JsonValue, ownMember} from '../../util/json-text.ts';
import {maskedText} from '../../util/redact.ts';
import {answerPieces} from '../template/answer-pieces.ts';
import {type AcceptableEvent, type RequestContext} from './request-context.ts';

/**
Reads from a signed message where a later answer goes, and returns the message without what would let anybody else answer: templates, scripts, filters and
the agent get that. A replay has no caller.
*/
export function readLaterAddress(
	context: RequestContext,
	respond: RespondConfig | undefined,
	payload: JsonValue,
): JsonValue {
	const later = respond && answersOf(respond)?.later;
	if (!later || !isJsonObject(payload)) {
		return payload;
	}

	if (respond.preset !== undefined && context.replayOf === undefined) {
		context.later = laterAddress(later, payload, {preset: respond.preset, now: context.arrivedAt});
	}

	return later.by === 'request' && ownMember(payload, later.secretField) !== undefined
		? {...payload, [later.secretField]: maskedText}
		: payload;
}

/** The caller of an event that its route answers; undefined where nobody waits, or the provider wants nothing but an acknowledgement. */
export function callerOf({context, route, scope}: AcceptableEvent): EventCaller | undefined {
	const {respond} = route;
	if (!respond || context.replayOf !== undefined || context.acknowledgement === 'empty') {
		return undefined;
	}

	return {
		waitsUntil: context.arrivedAt + respond.waitSeconds * 1000,
		body: answerPieces(respond, scope),
		...(context.later && {later: context.later}),
	};
}

type Naming = {readonly preset: string; readonly now: number};

/** The place of a later answer; undefined when the message names none. */
function laterAddress(later: LaterAnswer, payload: JsonObject, {preset, now}: Naming): LaterAddress | undefined {
	if (later.by === 'platform') {
		const chat = ownMember(payload, later.chatField);
		return typeof chat === 'string' && chat !== ''
			? {kind: 'platform', preset, platform: later.platform, chat}
			: undefined;
	}

	if (ownMember(payload, later.secretField) === undefined) {
		return undefined;
	}

	const url = urlOf(later, payload);
	const fault = url === undefined ? 'the message does not name it in the form of its provider' : undefined;
	const reason = fault ?? laterUrlFault(url ?? '', later.host);
	return url === undefined || reason !== undefined
		? {kind: 'refused', preset, reason: `no answer goes to its address: ${reason}`}
		: {kind: 'address', preset, url, validUntil: now + later.validSeconds * 1000};
}

/** Ids and tokens of providers; nothing in them ends a segment of a path. */
const segment = /^[\w.=-]{1,1000}$/u;

function urlOf({host, path, secretField}: LaterRequest, payload: JsonObject): string | undefined {
	if (!path) {
		const url = ownMember(payload, secretField);
		return typeof url === 'string' ? url : undefined;
	}

	const segments = path.map(part => (typeof part === 'string' ? part : segmentAt(payload, part.field)));
	return segments.includes(undefined) ? undefined : `https://${host}/${segments.join('/')}`;
}

function segmentAt(payload: JsonObject, field: string): string | undefined {
	const text = ownMember(payload, field);
	return typeof text === 'string' && segment.test(text) && !/^\.+$/u.test(text) ? text : undefined;
}
