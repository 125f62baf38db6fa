import {describe, expect, test} from 'vitest';
import {type JsonValue} from '../../../source/util/json-text.ts';
import {acceptsEvent, eventTypeOf} from '../../../source/webhooks/payload/event-type.ts';

describe('eventTypeOf', () => {
	const payload = {event_type: 'from event_type', type: 'from type'};
	test.each<{headers: Record<string, string>; payload: JsonValue; name: string}>([
		{headers: {'x-github-event': 'push', 'x-gitlab-event': 'Push Hook'}, payload, name: 'push'},
		{headers: {'x-gitlab-event': 'Push Hook'}, payload, name: 'Push Hook'},
		{headers: {}, payload, name: 'from event_type'},
		{headers: {}, payload: {type: 'from type'}, name: 'from type'},
		{headers: {}, payload: {event_type: 7, type: 'from type'}, name: 'from type'},
		{headers: {'x-github-event': ''}, payload: {}, name: 'unknown'},
		{headers: {}, payload: ['event_type'], name: 'unknown'},
		{headers: {}, payload: null, name: 'unknown'},
	])('$headers with $payload is $name', ({headers, payload, name}) => {
		expect(eventTypeOf(new Map(Object.entries(headers)), payload).name).toBe(name);
	});

	test('a name is cut at 256 code points', () => {
		expect(eventTypeOf(new Map(), {type: 'x'.repeat(1000)}).name).toBe('x'.repeat(256));
	});
});

describe('acceptsEvent', () => {
	const gitlab = (event: string) => eventTypeOf(new Map([['x-gitlab-event', event]]), {});
	test.each([
		{events: [], event: gitlab('Push Hook'), expected: true},
		{events: ['merge_request'], event: gitlab('Merge Request Hook'), expected: true},
		{events: ['Merge Request Hook'], event: gitlab('Merge Request Hook'), expected: true},
		{events: ['tag_push'], event: gitlab('Tag Push Hook'), expected: true},
		{events: ['push'], event: gitlab('Tag Push Hook'), expected: false},
		{events: ['push'], event: eventTypeOf(new Map([['x-github-event', 'Push Hook']]), {}), expected: false},
		{events: ['push'], event: eventTypeOf(new Map([['x-github-event', 'PUSH']]), {}), expected: false},
	])('$events takes $event.name: $expected', ({events, event, expected}) => {
		expect(acceptsEvent(events, event)).toBe(expected);
	});
});
