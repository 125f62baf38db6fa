import {createHmac} from 'node:crypto';
import {gzipSync} from 'node:zlib';
import {describe, expect, test} from 'vitest';
import {maxFileTextBytes} from '../../../source/webhooks/payload/form-files.ts';
import {openAdapter} from '../open-adapter.ts';
import {type HandlerOptions, openHandler, secret} from '../open-handler.ts';
import {webhookConfig} from '../webhook-config.ts';

type Entries = ReadonlyArray<readonly [name: string, value: string | File]>;

/** A form as Node.js sends it. */
async function encode(entries: Entries) {
	const form = new FormData();
	for (const [name, value] of entries) {
		if (typeof value === 'string') {
			form.append(name, value);
		} else {
			form.append(name, value);
		}
	}

	const response = new Response(form);
	return {
		type: response.headers.get('content-type') ?? '',
		body: Buffer.from(await response.arrayBuffer()),
	};
}

/** Sends a form with a signature over its bytes, and returns what came of it. */
async function post(entries: Entries, route: NonNullable<HandlerOptions['routes']>[number] = {name: 'open'}) {
	const {type, body} = await encode(entries);
	const handler = openHandler({routes: [{secrets: [secret], ...route}]});
	const reply = await handler.post({body, headers: {'content-type': type}, sign: secret});
	return {reply, row: handler.journal.rows[0], prompt: handler.journal.runs[0]?.prompt};
}

const image = (name = '../../etc/passwd') => new File([new Uint8Array([0, 255, 13, 10])], name, {type: 'image/png'});

describe('the payload of a form of parts', () => {
	test.each([
		{
			what: 'its fields',
			entries: [
				['a', '1'],
				['b', 'two'],
			],
			prompt: '{a} {b}',
			rendered: '1 two',
		},
		{
			what: 'the first of equal names',
			entries: [
				['a', '1'],
				['a', '2'],
			],
			prompt: '{a}',
			rendered: '1',
		},
		{
			what: 'JSON in the field payload',
			entries: [
				['b', 'x'],
				['payload', '{"a":[1]}'],
			],
			prompt: '{a.0} {b}',
			rendered: '1 {b}',
		},
		{
			what: 'its files',
			entries: [['f', image()]],
			prompt: '{f.filename} {f.content_type} {f.bytes} {f.file} {f.text}',
			rendered: '../../etc/passwd image/png 4 1 {f.text}',
		},
		{
			what: 'the text of a small text file',
			entries: [['f', new File(['{"a":1}'], 'f.json', {type: 'application/json'})]],
			prompt: '{f.text}',
			rendered: '{"a":1}',
		},
		{
			what: 'no text of a larger file',
			entries: [['f', new File(['x'.repeat(maxFileTextBytes + 1)], 'f.txt', {type: 'text/plain'})]],
			prompt: '{f.bytes} {f.text}',
			rendered: '65537 {f.text}',
		},
		{
			what: 'files beside JSON in the field payload, which counts first',
			entries: [
				['thumb', image('t')],
				['a', image('no')],
				['payload', '{"a":1}'],
			],
			prompt: '{a} {thumb.filename} {thumb.file}',
			rendered: '1 t 1',
		},
		{
			what: 'files with names that objects inherit',
			entries: [
				['__proto__', image('x')],
				['b', 'c'],
			],
			prompt: '{b}',
			rendered: 'c',
		},
	] satisfies ReadonlyArray<{what: string; entries: Entries; prompt: string; rendered: string}>)(
		'has $what',
		async ({entries, prompt, rendered}) => {
			const {reply, ...run} = await post(entries, {name: 'open', prompt});
			expect([reply.status, run.prompt]).toEqual([202, rendered]);
		},
	);
});

describe('the row of a form with files', () => {
	test('has each file, and the body without their contents, but with small texts', async () => {
		const {row} = await post([
			['a', '1'],
			['f', image()],
			['g', new File(['small'], 'g.txt', {type: 'text/plain'})],
		]);
		expect(row?.files?.map(({name, contentType, content}) => [name, contentType, [...content]])).toEqual([
			['../../etc/passwd', 'image/png', [0, 255, 13, 10]],
			['g.txt', 'text/plain', [...Buffer.from('small')]],
		]);
		const body = Buffer.from(row?.body ?? []).toString('latin1');
		expect(body).toContain('filename="../../etc/passwd"\r\nContent-Type: image/png\r\n\r\n\r\n--');
		expect(body).toContain('text/plain\r\n\r\nsmall\r\n--');
	});

	test('has no files of a form without any, and the body as it came', async () => {
		const {row} = await post([['a', '1']]);
		expect([row?.files, Buffer.from(row?.body ?? []).toString()]).toEqual([
			undefined,
			expect.stringContaining('name="a"'),
		]);
	});

	test('of an event that a filter ignored has its files, and that of a refused one has none', async () => {
		const ignored = await post([['f', image()]], {name: 'open', filters: [{kind: 'equals', field: 'a', value: 1}]});
		const refused = await post([['f', image()]], {name: 'open', enabled: false});
		expect([ignored.reply.status, ignored.row?.files?.length]).toEqual([200, 1]);
		expect([refused.reply.status, refused.row?.files, refused.row?.body]).toEqual([503, undefined, undefined]);
	});

	test('says why a body is malformed; the sender is not told', async () => {
		const handler = openHandler({routes: [{name: 'open', secrets: [secret]}]});
		const send = (body: string) =>
			handler.post({body, headers: {'content-type': 'multipart/form-data; boundary=b'}, sign: secret});
		const replies = [
			await send('--b\r\n'),
			await send(
				'--b\r\nContent-Disposition: form-data; name=a\r\nContent-Type: text/plain; charset=none\r\n\r\nx\r\n--b--',
			),
			await send('--b\r\nContent-Disposition: form-data; name=payload\r\n\r\n{\r\n--b--'),
		];
		for (const {status, body} of replies) {
			expect([status, body]).toEqual([400, {error: 'Malformed body'}]);
		}

		expect(handler.journal.rows.map(({reason}) => reason)).toEqual([
			'Malformed body: the headers of a part do not end',
			'Malformed body: a field is not text in its character set',
			'Malformed body: its field payload is not JSON',
		]);
	});

	test('is not parsed before the signature holds', async () => {
		const handler = openHandler({routes: [{name: 'open', secrets: [secret]}]});
		const headers = {'content-type': 'multipart/form-data; boundary=b'};
		expect(await handler.post({body: 'malformed', headers, sign: 'wrong'})).toMatchObject({status: 401});
	});
});

describe('a form with files on a socket', () => {
	test('that came compressed is replayed with the same payload and files', async () => {
		const {type, body} = await encode([
			['a', '1'],
			['f', image()],
			['g', new File(['small'], 'g.txt', {type: 'text/plain'})],
		]);
		const sent = gzipSync(body);
		const routes = [{name: 'r', secrets: [secret], prompt: '{a} {f.filename} {f.bytes} {g.text} {g.bytes}'}];
		const {adapter, url, journal} = await openAdapter({config: webhookConfig({routes})});
		const response = await fetch(`${url}/webhooks/r`, {
			method: 'POST',
			body: sent,
			headers: {
				'content-type': type,
				'content-encoding': 'gzip',
				'x-webhook-signature': createHmac('sha256', secret).update(sent).digest('hex'),
			},
		});
		const [first] = journal.rows;
		expect([response.status, first?.headers['content-encoding']]).toEqual([202, undefined]);
		const files = first?.files ?? [];
		const replay = await adapter.replay({...first!, body: first?.body ?? new Uint8Array(), files});
		const [, again] = journal.rows;
		expect(replay.status).toBe(202);
		expect([again?.body, again?.files]).toEqual([first?.body, files]);
		expect(journal.runs.map(({prompt}) => prompt)).toEqual(Array(2).fill('1 ../../etc/passwd 4 small 5'));
	});
});
