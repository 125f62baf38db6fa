import {createHmac} from 'node:crypto';
import {join} from 'node:path';
import {Readable} from 'node:stream';
import {describe, expect, test} from 'vitest';
import {systemClock} from '../../source/util/clock.ts';
import {openTestJournal} from '../helpers/journal-records.ts';
import {temporaryDirectory} from '../helpers/temporary-directory.ts';
import {type HandlerOptions, legacySignature, openHandler, secret, type TestRequest} from './open-handler.ts';
import {dial, openAdapter} from './open-adapter.ts';
import {webhookConfig} from './webhook-config.ts';
import {to} from '../helpers/destinations.ts';

/** Attacks on a webhook receiver, numbered as in one list of seventy; the others stand in the tests of what they are aimed at. */
type Attack = {
	readonly number: number;
	readonly what: string;
	readonly request: TestRequest;
	readonly handler?: HandlerOptions;
	readonly status: number;
	/** The prompt of the run it leads to. */
	readonly prompt?: string;
};

const hub = (bytes: string | Uint8Array) => ({
	'x-hub-signature-256': `sha256=${createHmac('sha256', secret).update(bytes).digest('hex')}`,
});
const bytes = (request: {readonly body: string | Uint8Array}): TestRequest => ({
	...request,
	headers: hub(request.body),
});
const prompt = (template: string): HandlerOptions => ({
	routes: [{name: 'open', secrets: [secret], prompt: template}],
});

const attacks: readonly Attack[] = [
	{
		number: 7,
		what: 'a digest of the same JSON, written again',
		request: {body: '{ "a":1 }', headers: hub('{"a":1}')},
		status: 401,
	},
	{number: 8, what: 'an escape in capitals', request: bytes({body: String.raw`{"a":"\u001B"}`}), status: 202},
	{number: 8, what: 'an escape in small letters', request: bytes({body: String.raw`{"a":"\u001b"}`}), status: 202},
	{number: 8, what: 'an emoji and CRLF', request: bytes({body: '{\r\n"a":"🦀"}\r\n'}), status: 202},
	{number: 8, what: 'a byte order mark', request: bytes({body: '\uFEFF{}'}), status: 400},
	{
		number: 9,
		what: 'signed bytes that are no UTF-8',
		request: bytes({body: Uint8Array.of(0x22, 0xff, 0x22)}),
		status: 400,
	},
	{
		number: 20,
		what: 'two thousand entries',
		request: {
			headers: {
				'webhook-id': 'm',
				'webhook-timestamp': '1700000000',
				'webhook-signature': `v1,${'A'.repeat(43)}= `.repeat(2000),
			},
		},
		status: 401,
	},
	{
		number: 29,
		what: 'a delivery id that looks like a path',
		request: {...bytes({body: '{}'}), headers: {...hub('{}'), 'x-request-id': '../../\u00F0\u009F'}},
		status: 202,
	},
	...[
		'%2e%2e',
		'open%2f..',
		'open%00',
		'constructor',
		'__proto__',
		'toString',
		'open/',
		'x'.repeat(101),
		'..%5copen',
	].map(name => ({
		number: 41,
		what: `the route ${name.slice(0, 20)}`,
		request: {...bytes({body: '{}'}), url: `/webhooks/${name}`},
		status: 404,
	})),
	{
		number: 45,
		what: 'a forged X-Forwarded-For',
		request: {body: '{}', headers: {'x-forwarded-for': '127.0.0.1', 'x-forwarded-host': 'localhost'}},
		status: 401,
	},
	...['[1]', '"text"', '7', 'null', 'true'].map(body => ({
		number: 47,
		what: `the payload ${body}`,
		request: bytes({body}),
		status: 202,
	})),
	{
		number: 48,
		what: '500,000 nested lists',
		request: bytes({body: '['.repeat(500_000) + ']'.repeat(500_000)}),
		status: 400,
	},
	{
		number: 49,
		what: '90,000 members',
		request: bytes({body: `{${Array.from({length: 90_000}, (_, index) => `"${index * 7}":1`).join(',')}}`}),
		status: 202,
	},
	{
		number: 49,
		what: '160,000 escapes',
		request: bytes({body: `{"a":"${String.raw`\u0041`.repeat(160_000)}"}`}),
		status: 202,
	},
	{
		number: 50,
		what: 'paths through the prototype',
		request: bytes({body: '{"__proto__":{"polluted":1},"a":{"constructor":{"name":"x"}},"list":[1]}'}),
		handler: prompt('{__proto__.polluted} {constructor.name} {toString} {list.length} {a.constructor.name} {polluted}'),
		status: 202,
		prompt: '{__proto__.polluted} {constructor.name} {toString} {list.length} {a.constructor.name} {polluted}',
	},
	{
		number: 51,
		what: 'a member that comes twice',
		request: bytes({body: '{"a":1,"a":2}'}),
		handler: prompt('{a}'),
		status: 202,
		prompt: '2',
	},
	{
		number: 53,
		what: 'a lone surrogate and a zero width',
		request: bytes({body: String.raw`{"a":"\ud83d \u200b\u202e\u0000"}`}),
		handler: prompt('{a}'),
		status: 202,
		prompt: '\uD83D \u200B\u202E\u0000',
	},
	{
		number: 55,
		what: 'ten thousand variables',
		request: bytes({body: '{"a":1}'}),
		handler: prompt('{a}'.repeat(10_000)),
		status: 202,
		prompt: '1'.repeat(10_000),
	},
	{
		number: 55,
		what: 'a variable with an endless name',
		request: bytes({body: '{"a":1}'}),
		handler: prompt(`{${'a.'.repeat(500_000)}}`),
		status: 202,
	},
	{
		number: 56,
		what: 'a pattern that would backtrack',
		request: bytes({body: JSON.stringify({a: 'x'.repeat(50_000)})}),
		handler: {
			routes: [{name: 'open', secrets: [secret], filters: [{kind: 'regex', field: 'a', pattern: '(x+x+)+y'}]}],
		},
		status: 200,
	},
];

describe('attack', () => {
	test.each(attacks)('$number, $what: $status', async ({request, handler: options, status, prompt: expected}) => {
		const handler = openHandler({routes: [{name: 'open', secrets: [secret]}], maxBodyBytes: 2_000_000, ...options});
		const began = performance.now();
		expect((await handler.post(request)).status).toBe(status);
		// Far from what a quadratic or exponential search would take.
		expect(performance.now() - began).toBeLessThan(2000);
		if (expected !== undefined) {
			expect(handler.journal.runs.map(run => run.prompt)).toEqual([expected]);
		}

		expect(handler.ofType('log')).toEqual([]);
		expect('polluted' in {}).toBe(false);
	});

	test('1, no signature: 401, and nobody touches the body', async () => {
		const handler = openHandler({routes: [{name: 'open', secrets: [secret]}]});
		let isRead = false;
		const body = new Readable({
			read() {
				isRead = true;
				this.push(null);
			},
		});
		expect((await handler.post({body})).status).toBe(401);
		expect(isRead).toBe(false);
	});

	test('25, one delivery on two sockets at once: one run, one duplicate', async () => {
		const journal = openTestJournal({path: join(temporaryDirectory(), 'journal.db'), clock: systemClock});
		const {url} = await openAdapter({journal});
		const send = async () => {
			const response = await fetch(`${url}/webhooks/open`, {
				method: 'POST',
				body: '{}',
				headers: {'x-request-id': 'one'},
			});
			return String(Reflect.get(Object(await response.json()), 'status'));
		};
		const answers: readonly string[] = await Promise.all([send(), send(), send()]);
		expect(answers.toSorted()).toEqual(['accepted', 'duplicate', 'duplicate']);
		expect(await journal.listRuns({limit: 10})).toHaveLength(1);
	});

	test.each([
		['a folded header', 'POST /webhooks/open HTTP/1.1\r\nhost: x\r\nx-a: b\r\n c\r\ncontent-length: 2\r\n\r\n{}'],
		['a bare line feed', 'POST /webhooks/open HTTP/1.1\nhost: x\ncontent-length: 2\n\n{}'],
		['a blank before the colon', 'POST /webhooks/open HTTP/1.1\r\nhost: x\r\ncontent-length : 2\r\n\r\n{}'],
		['a negative length', 'POST /webhooks/open HTTP/1.1\r\nhost: x\r\ncontent-length: -2\r\n\r\n{}'],
	])('35, %s: 400 and the end of the connection', async (_what, text) => {
		const {url, journal} = await openAdapter();
		const connection = dial(url);
		connection.socket.write(text);
		await connection.closed;
		expect([connection.statuses(), journal.runs]).toEqual([[400], []]);
	});

	test('43, OPTIONS from a browser: no word of CORS', async () => {
		const {url} = await openAdapter();
		const headers = {origin: 'https://evil.example', 'access-control-request-method': 'POST'};
		const response = await fetch(`${url}/webhooks/open`, {method: 'OPTIONS', headers});
		expect([...response.headers.keys()].filter(name => name.startsWith('access-control'))).toEqual([]);
	});

	test('44, /health while every slot for bodies is taken: 200', async () => {
		const {url} = await openAdapter({limits: {unverifiedBodies: 1}});
		dial(url).socket.write('POST /webhooks/open HTTP/1.1\r\nhost: x\r\ncontent-length: 10\r\n\r\n{');
		expect((await fetch(`${url}/health`)).status).toBe(200);
	});

	test.each([
		{stalled: 63, ended: 0, endedByAPart: 0},
		{stalled: 64, ended: 0, endedByAPart: 1},
		{stalled: 200, ended: 136, endedByAPart: 1},
	])('44, $stalled half bodies: what is signed is accepted, in one packet and in two', async row => {
		const {url, ofType} = await openAdapter({config: webhookConfig({routes: [{name: 'r', secrets: [secret]}]})});
		const head = (signature: string) =>
			`POST /webhooks/r HTTP/1.1\r\nhost: x\r\nx-webhook-signature: ${signature}\r\ncontent-length: 2\r\n\r\n`;
		const stalled = Array.from({length: row.stalled}, () => dial(url));
		await Promise.all(stalled.map(({socket}) => new Promise(resolve => void socket.write(`${head('00')}{`, resolve))));
		const ended = () => ofType('webhook.settled').filter(({status}) => status === 408);
		await expect.poll(() => ended().length).toBe(row.ended);

		const signed = head(legacySignature(secret, '{}')['x-webhook-signature'] ?? '');
		const whole = dial(url);
		whole.socket.write(`${signed}{}`);
		await whole.sees('"accepted"');
		expect(ended()).toHaveLength(row.ended);

		const parted = dial(url);
		parted.socket.write(signed);
		await expect.poll(() => ended().length).toBe(row.ended + row.endedByAPart);
		parted.socket.write('{}');
		await parted.sees('"accepted"');
		expect([whole.statuses(), parted.statuses()]).toEqual([[202], [202]]);
		const last = stalled.at(-1);
		last?.socket.write('}');
		await last?.sees('401');
		expect(ended().filter(({reason}) => !reason?.endsWith('while 64 bodies were being read'))).toEqual([]);
	});

	test('69, control characters in event and payload: shown by their signs', async () => {
		const handler = openHandler();
		await handler.post({body: String.raw`{"type":"\u001b]52;c;aGk=\u0007\r\n\u009b2J\u202e"}`});
		const [event] = handler.ofType('webhook.settled');
		expect(event?.event).toBe('␛]52;c;aGk=␇␍␊‹U+009B›2J‹U+202E›');
	});

	test('70, a payload that names toolset, skill, profile, target and conversation: none of them is its to choose', async () => {
		const handler = openHandler();
		const chosen = {toolsets: ['evil'], skills: ['evil'], profile: 'evil', deliver: 'telegram', conversation: 'r1'};
		await handler.post({body: JSON.stringify({...chosen, deliverExtra: chosen, deliver_extra: chosen})});
		const own = {toolsets: undefined, skills: [], profile: 'default', deliver: to('log')};
		expect(handler.journal.runs).toMatchObject([{...own, route: 'open'}]);
		expect(Object.keys(handler.journal.runs[0] ?? {})).not.toEqual(expect.arrayContaining(['conversation']));
	});
});
