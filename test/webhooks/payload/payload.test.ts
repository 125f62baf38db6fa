import {deflateRawSync, deflateSync, gzipSync} from 'node:zlib';
import * as fc from 'fast-check';
import {describe, expect, test} from 'vitest';
import {type JsonValue} from '../../../source/util/json-text.ts';
import {acceptsEvent, eventTypeOf, readPayload} from '../../../source/webhooks/payload/payload.ts';

function read(body: string | Uint8Array, headers: Readonly<Record<string, string>> = {}, limitBytes = 10_000) {
	return readPayload(Buffer.from(body), new Map(Object.entries(headers)), limitBytes);
}

const form = {'content-type': 'application/x-www-form-urlencoded'};

describe('JSON', () => {
	test.each(['{"a":1}', '[1]', '"text"', '3', 'null', 'true'])('%s is a payload', async text => {
		expect(await read(text)).toEqual({kind: 'payload', payload: JSON.parse(text)});
	});

	test.each(['', 'nul', '{"a":1} x', "{'a':1}", '\uFEFF{}', '{'])('"%s" is malformed', async text => {
		expect(await read(text)).toEqual({kind: 'malformed-body'});
	});

	test('bytes that are no UTF-8 are malformed', async () => {
		expect(await read(Uint8Array.of(0x22, 0xff, 0x22))).toEqual({kind: 'malformed-body'});
	});

	test.each([
		{levels: 200, kind: 'payload'},
		{levels: 201, kind: 'malformed-body'},
		{levels: 100_000, kind: 'malformed-body'},
	])('$levels levels are $kind', async ({levels, kind}) => {
		expect(await read('['.repeat(levels) + ']'.repeat(levels), {}, 1_000_000)).toMatchObject({kind});
	});

	test('digits beyond 2^53 survive, in deep nesting and beside 100000 levels too', async () => {
		const reading = await read('{"id": 12345678901234567890, "small": 1, "real": 1234567890123456.5}');
		expect(JSON.stringify(reading)).toContain('12345678901234567890');
		expect(await read(`${'['.repeat(100_000)}1234567890123456789`, {}, 1_000_000)).toEqual({kind: 'malformed-body'});
	});

	test('a member called __proto__ is a member', async () => {
		const reading = await read('{"__proto__": {"polluted": 1}, "id": 12345678901234567890}');
		expect(reading).toMatchObject({kind: 'payload'});
		expect('polluted' in {}).toBe(false);
	});

	test('what JSON can write is read back', async () => {
		await fc.assert(
			fc.asyncProperty(fc.json(), async text => {
				const reading = await read(text, {}, 1_000_000);
				expect(reading.kind === 'payload' && JSON.parse(JSON.stringify(reading.payload))).toEqual(
					JSON.parse(JSON.stringify(JSON.parse(text))),
				);
			}),
		);
	});
});

describe('content types', () => {
	test.each([
		'application/json',
		'application/json; charset=utf-8',
		'APPLICATION/JSON',
		'application/vnd.github+json',
		'application/cloudevents+json',
		'text/plain',
	])('%s is read as JSON', async type => {
		expect(await read('{}', {'content-type': type})).toMatchObject({kind: 'payload'});
	});

	test.each(['multipart/mixed; boundary=x', 'application/xml', 'image/png', 'json', '/'])(
		'%s is not understood',
		async type => {
			expect(await read('{}', {'content-type': type})).toEqual({kind: 'not-understood'});
		},
	);
});

describe('forms', () => {
	test.each([
		{text: 'payload=%7B%22a%22%3A1%7D', payload: {a: 1}},
		{text: 'payload=1&payload=2', payload: 1},
		{text: 'a=b&c=d+e&a=x', payload: {a: 'b', c: 'd e'}},
		{text: '', payload: {}},
	])('$text is $payload', async ({text, payload}) => {
		expect(await read(text, form)).toEqual({kind: 'payload', payload});
	});

	test.each(['payload=', 'payload=%7B', 'payload=%5B%ff'])('%s is malformed', async text => {
		expect(await read(text, form)).toEqual({kind: 'malformed-body'});
	});
});

describe('encodings', () => {
	test.each([
		{encoding: 'gzip', bytes: gzipSync('{"a":1}')},
		{encoding: 'x-gzip', bytes: gzipSync('{"a":1}')},
		{encoding: 'deflate', bytes: deflateSync('{"a":1}')},
		{encoding: 'Deflate', bytes: deflateRawSync('{"a":1}')},
		{encoding: 'identity', bytes: Buffer.from('{"a":1}')},
	])('$encoding is undone', async ({encoding, bytes}) => {
		expect(await read(bytes, {'content-encoding': encoding})).toEqual({kind: 'payload', payload: {a: 1}});
	});

	test.each(['br', 'zstd', 'gzip, gzip', 'gzip, deflate', 'constructor'])('%s is not understood', async encoding => {
		expect(await read('{}', {'content-encoding': encoding})).toEqual({kind: 'not-understood'});
	});

	test('what grows past the limit is too large', async () => {
		const bomb = gzipSync(Buffer.alloc(50_000_000));
		expect(await read(bomb, {'content-encoding': 'gzip'})).toEqual({kind: 'too-large'});
	});

	test.each(['gzip', 'deflate'])('bytes that are no %s are malformed', async encoding => {
		expect(await read('{"a":1}', {'content-encoding': encoding})).toEqual({kind: 'malformed-body'});
	});
});

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
