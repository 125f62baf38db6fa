import {isJsonObject, isList, type JsonValue, ownMember} from '../util/json-text.ts';
import {exactDigits} from './exact-json.ts';
import {type RequestHeaders} from './request-headers.ts';

/** What filters may look at. */
export type Subject = {
	readonly payload: JsonValue;
	/** The resolved event type. */
	readonly event: string;
	readonly headers: RequestHeaders;
};

/** Reads the field of a filter: `event`, `event_type`, `headers.<Name>`, `payload.…` or a path in the body (spec/webhooks.md, Filter objects). */
export function readField(field: string, subject: Subject): JsonValue | undefined {
	if (field === 'event' || field === 'event_type') {
		return subject.event;
	}

	if (field.startsWith('headers.')) {
		return subject.headers.get(field.slice('headers.'.length).toLowerCase());
	}

	const {payload} = subject;
	const [first, ...rest] = field.split('.');
	if (first !== 'payload' || hasPayloadObject(payload)) {
		return readPath(payload, field);
	}

	// Flat payload: `payload.` means the body itself.
	return rest.length === 0 ? payload : readPath(payload, rest.join('.'));
}

/** The value at a dot path, or undefined. List items are named by digits; inherited members are never seen. */
export function readPath(value: JsonValue, path: string): JsonValue | undefined {
	let current: JsonValue | undefined = value;
	for (const step of path.split('.')) {
		if (current === undefined) {
			return undefined;
		}

		current = memberOf(current, step);
	}

	return current;
}

function memberOf(value: JsonValue, step: string): JsonValue | undefined {
	if (isList(value)) {
		return /^\d+$/u.test(step) ? value[Number(step)] : undefined;
	}

	return isJsonObject(value) && exactDigits(value) === undefined ? ownMember(value, step) : undefined;
}

function hasPayloadObject(body: JsonValue): boolean {
	const member = isJsonObject(body) ? ownMember(body, 'payload') : undefined;
	return typeof member === 'object' && member !== null;
}
