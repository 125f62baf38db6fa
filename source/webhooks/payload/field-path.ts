import {isJsonObject, isList, type JsonValue, ownMember} from '../../util/json-text.ts';
import {exactDigits} from './exact-json.ts';
import {type RequestHeaders} from '../http/incoming-request.ts';

/** The input of filters. */
export type Subject = {
	readonly payload: JsonValue;
	/** The resolved event type. */
	readonly event: string;
	readonly headers: RequestHeaders;
};

/** Reads the field of a filter; undefined when missing. */
type FieldReader = (subject: Subject) => JsonValue | undefined;

/** Creates the reader of a field: `event`, `event_type`, `headers.<Name>`, `payload.…` or a path in the body (docs/webhook-routes.md, Filters). */
export function compileField(field: string): FieldReader {
	if (field === 'event' || field === 'event_type') {
		return subject => subject.event;
	}

	if (field.startsWith('headers.')) {
		const name = field.slice('headers.'.length).toLowerCase();
		return subject => subject.headers.get(name);
	}

	const steps = field.split('.');
	if (steps[0] !== 'payload') {
		return ({payload}) => readSteps(payload, steps);
	}

	// In a flat payload, `payload.` means the body itself.
	const inside = steps.slice(1);
	return ({payload}) => readSteps(payload, hasPayloadObject(payload) ? steps : inside);
}

/** The value at a dot path, or undefined. Digits index list items; inherited members are never returned. */
export function readPath(value: JsonValue, path: string): JsonValue | undefined {
	return readSteps(value, path.split('.'));
}

/** The same for a path that is already split. */
export function readSteps(value: JsonValue, steps: readonly string[]): JsonValue | undefined {
	let current: JsonValue | undefined = value;
	for (const step of steps) {
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
