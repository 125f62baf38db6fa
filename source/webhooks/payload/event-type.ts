import {cutText, isJsonObject, type JsonValue, ownMember} from '../../util/json-text.ts';
import {type RequestHeaders} from '../http/request-headers.ts';

/** The event of a request, and every name under which a route may list it. */
export type EventType = {
	readonly name: string;
	readonly names: readonly string[];
};

const longestNameCharacters = 256;

/** GitHub header → GitLab header → `event_type` → `type` → `unknown` (docs/webhooks.md, Event types). */
export function eventTypeOf(headers: RequestHeaders, payload: JsonValue): EventType {
	const gitlab = headers.get('x-gitlab-event');
	const name = cutText(
		headers.get('x-github-event') ||
			gitlab ||
			textMember(payload, 'event_type') ||
			textMember(payload, 'type') ||
			'unknown',
		longestNameCharacters,
	);
	return {name, names: name === gitlab ? [name, shortGitlabName(name)] : [name]};
}

/** An empty list accepts every event (docs/webhooks.md, Event types). */
export function acceptsEvent(events: readonly string[], event: EventType): boolean {
	return events.length === 0 || event.names.some(name => events.includes(name));
}

/** GitLab sends `Merge Request Hook`; people write `merge_request`. */
function shortGitlabName(name: string): string {
	return name
		.toLowerCase()
		.replace(/ hook$/u, '')
		.replaceAll(' ', '_');
}

function textMember(payload: JsonValue, name: string): string | undefined {
	const value = isJsonObject(payload) ? ownMember(payload, name) : undefined;
	return typeof value === 'string' ? value : undefined;
}
