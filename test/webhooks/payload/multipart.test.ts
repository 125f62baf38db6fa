import * as fc from 'fast-check';
import {describe, expect, test} from 'vitest';
import {multipartLimits, readParts, textOfPart} from '../../../source/webhooks/payload/multipart.ts';
import {countReads} from '../../helpers/count-reads.ts';

const type = 'multipart/form-data; boundary=b';
const field = (name: string, text: string) =>
	`--b\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${text}\r\n`;
const part = (headers: string, text = 'x') => `--b\r\n${headers}\r\n\r\n${text}\r\n`;
const disposition = 'Content-Disposition: form-data; name="a"';
const fields = (count: number) => Array.from({length: count}, (_, at) => field(`n${at}`, `${at}`)).join('');

function read(body: string, contentType = type) {
	const reading = readParts(Buffer.from(body), contentType);
	return reading.kind === 'parts'
		? reading.parts.map(({name, fileName, contentType: sent, content}) => [
				name,
				fileName,
				sent,
				Buffer.from(content).toString('latin1'),
			])
		: reading.reason;
}

describe('a form of parts', () => {
	test.each([
		['no part', '--b--', []],
		['a field', `${field('a', '1')}--b--\r\n`, [['a', undefined, undefined, '1']]],
		['an empty field', `${field('a', '')}--b--`, [['a', undefined, undefined, '']]],
		['a field without even a line', `--b\r\n${disposition}\r\n\r\n--b--`, [['a', undefined, undefined, '']]],
		[
			'line breaks in a field',
			`${field('a', '\r\n\r\n-\r\n--')}--b--`,
			[['a', undefined, undefined, '\r\n\r\n-\r\n--']],
		],
		['text around it', `before\r\n${field('a', '1')}--b--\r\nafter --b\r\n`, [['a', undefined, undefined, '1']]],
		['blanks behind a boundary', `--b \t\r\n${disposition}\r\n\r\n1\r\n--b--`, [['a', undefined, undefined, '1']]],
		[
			'a file whose name is a path',
			`${part(`${disposition}; filename="../../etc/passwd"\r\nContent-Type: image/png`)}--b--`,
			[['a', '../../etc/passwd', 'image/png', 'x']],
		],
		['a file without a name', `${part(`${disposition}; filename=""`)}--b--`, [['a', '', undefined, 'x']]],
		[
			'names without quotes',
			`${part('content-disposition:form-data;name=a;filename=f')}--b--`,
			[['a', 'f', undefined, 'x']],
		],
		[
			'the escapes of browsers',
			`${part('Content-Disposition: form-data; name="a%22%0D%0ab%25"; filename="c:\\d\\"')}--b--`,
			[['a"\r\nb%25', 'c:\\d\\', undefined, 'x']],
		],
		[
			'the escapes of older libraries',
			`${part(`${disposition}; filename*=UTF-8'en'%E2%82%AC.txt`)}--b--`,
			[['a', '€.txt', undefined, 'x']],
		],
		[
			'other headers',
			`${part(`X-Y: z\r\n${disposition}\r\nContent-Transfer-Encoding: binary`)}--b--`,
			[['a', undefined, undefined, 'x']],
		],
	])('has %s', (_, body, parts) => {
		expect(read(body)).toEqual(parts);
	});

	test('may have any boundary that can be seen, in quotes too', () => {
		const boundary = "'()+_,-./:=? *".padEnd(multipartLimits.boundaryCharacters, 'x');
		const body = `${field('a', '1')}--b--`.replaceAll('--b', `--${boundary}`);
		expect(read(body, `Multipart/Form-Data; charset=utf-8; Boundary="${boundary}"`)).toEqual([
			['a', undefined, undefined, '1'],
		]);
	});

	test('has at most a hundred parts, and the rest of 10,000 is not read', () => {
		expect(read(`${fields(100)}--b--`)).toHaveLength(100);
		expect(read(`${fields(101)}--b--`)).toBe('it has more than 100 parts');
		expect(read(`${fields(10_000)}--b--`)).toBe('it has more than 100 parts');
	});

	test.each([
		['no boundary in its type', 'multipart/form-data', '--b--', 'its content type names no boundary'],
		['an empty boundary', 'multipart/form-data; boundary=""', '--', 'its content type names no boundary'],
		['a boundary twice', `${type}; boundary=c`, '--b--', 'its content type names no boundary'],
		[
			'a boundary of 300 characters',
			`multipart/form-data; boundary=${'b'.repeat(300)}`,
			`--${'b'.repeat(300)}--`,
			'its boundary exceeds 70 characters',
		],
		[
			'a boundary beyond ASCII',
			'multipart/form-data; boundary=ä',
			'--ä--',
			'its boundary has characters that a boundary may not have',
		],
		['another boundary', type, '--c--', 'it does not contain its boundary'],
		['nothing', type, '', 'it does not contain its boundary'],
		['no final boundary', type, field('a', '1'), 'the final boundary is missing'],
		['an end in a part', type, `${field('a', '1')}--b`, 'the final boundary is missing'],
		['text behind a boundary', type, `${field('a', '1')}--bc\r\n`, 'its boundary is followed by text'],
		[
			'lines without a carriage return',
			type,
			`${field('a', '1')}--b--`.replaceAll('\r', ''),
			'its boundary is followed by text',
		],
		['headers without an end', type, `--b\r\n${disposition}`, 'the headers of a part do not end'],
		[
			'headers over 8 KB',
			type,
			`${part(`${disposition}\r\nX: ${'y'.repeat(multipartLimits.headerBytes)}`)}--b--`,
			'the headers of a part exceed 8192 bytes',
		],
		['headers that are no text', type, `${part(disposition)}--b--`.replace('"a"', '"\u00FF"'), undefined],
		['a part without a name', type, `${part('Content-Disposition: form-data')}--b--`, 'a part has no name'],
		['a part without headers', type, `--b\r\n\r\n\r\nx\r\n--b--`, 'a header of a part is malformed'],
		['an attachment', type, `${part('Content-Disposition: attachment; name="a"')}--b--`, 'a part has no name'],
		['a name twice', type, `${part(`${disposition}; name="c"`)}--b--`, 'a part has no name'],
		[
			'a name that ends early',
			type,
			`${part('Content-Disposition: form-data; name="a"b"')}--b--`,
			'a part has no name',
		],
		[
			'a line break in a name',
			type,
			`${part('Content-Disposition: form-data; name="a\r\nX: y"')}--b--`,
			'a part has no name',
		],
		[
			'a bare line feed in a name',
			type,
			`${part('Content-Disposition: form-data; name="a\nX: y"')}--b--`,
			'a header of a part is malformed',
		],
		[
			'a zero byte in a name',
			type,
			`${part('Content-Disposition: form-data; name="\0"')}--b--`,
			'a header of a part is malformed',
		],
		['a folded header', type, `${part(`${disposition};\r\n filename="f"`)}--b--`, 'a header of a part is malformed'],
		['a header twice', type, `${part(`${disposition}\r\n${disposition}`)}--b--`, 'a part has a header twice'],
		[
			'a boundary among headers',
			type,
			`--b\r\n${disposition}\r\n--b: x\r\n\r\n1\r\n--b--`,
			'a header of a part is malformed',
		],
		[
			'a form inside a part',
			type,
			`${part(`${disposition}\r\nContent-Type: Multipart/Mixed; boundary=c`, '--c--')}--b--`,
			'a part consists of parts itself',
		],
		[
			'base64',
			type,
			`${part(`${disposition}\r\nContent-Transfer-Encoding: base64`)}--b--`,
			'the transfer encoding of a part is not supported',
		],
		[
			'a file name in another encoding',
			type,
			`${part(`${disposition}; filename*=iso-8859-1''%E4`)}--b--`,
			'a file name is not encoded in UTF-8',
		],
	])('is refused with %s', (_, contentType, body, reason) => {
		if (reason === undefined) {
			const latin1 = readParts(Buffer.from(body, 'latin1'), contentType);
			expect(latin1).toEqual({kind: 'malformed', reason: 'the headers of a part are not UTF-8'});
			return;
		}

		expect(read(body, contentType)).toBe(reason);
	});

	test('is read in one pass', async () => {
		const body = Buffer.from(`${fields(100)}--b--`);
		const once = await countReads(() => readParts(body.subarray(0, body.length / 2), type));
		const twice = await countReads(() => readParts(body, type));
		expect(once).toBeGreaterThan(1000);
		expect(twice / once).toBeLessThan(2.5);
	});
});

describe('the text of a field', () => {
	test.each([
		['UTF-8 without a type', undefined, '€', '€'],
		['a byte order mark', undefined, '\uFEFFa', '\uFEFFa'],
		['its own character set', 'text/plain; charset="ISO-8859-1"', Buffer.from([0xe4]), 'ä'],
		['bytes that are not in it', 'text/plain; charset=utf-8', Buffer.from([0xe4]), undefined],
		['a character set that nobody knows', 'text/plain; charset=x-none', 'a', undefined],
	])('%s', (_, contentType, sent, text) => {
		expect(textOfPart({content: Buffer.from(sent), contentType})).toBe(text);
	});
});

/** A name that survives the escapes of browsers: they have none for `%`, and none of the control characters belongs into a header. */
const name = fc
	.string({unit: 'binary', maxLength: 20})
	.filter(text => !/%(?:0A|0D|22)/iu.test(text) && !/[\0-\u0008\u000B\u000C\u000E-\u001F\u007F]/u.test(text));
const entry = fc.oneof(
	fc.record({name, text: fc.string({unit: 'binary', maxLength: 100})}),
	fc.record({
		name,
		// Node.js leaves an empty one out.
		fileName: name.filter(text => text !== ''),
		type: fc.constantFrom('', 'image/png', 'text/plain;charset=utf-8'),
		content: fc.uint8Array({maxLength: 200}),
	}),
);
const boundaryUnit = fc.constantFrom(..."-abZ09'()+_,./:=?*".split(''));

describe('forms that Node.js writes', () => {
	test('are read as they were, whatever their names, contents and boundaries', async () => {
		await fc.assert(
			fc.asyncProperty(
				fc.array(entry, {maxLength: 6}),
				fc.string({unit: boundaryUnit, minLength: 1, maxLength: multipartLimits.boundaryCharacters}),
				async (entries, boundary) => {
					const form = new FormData();
					for (const one of entries) {
						if ('text' in one) {
							form.append(one.name, one.text);
						} else {
							form.append(one.name, new File([one.content], one.fileName, {type: one.type}));
						}
					}

					const response = new Response(form);
					const contentType = response.headers.get('content-type') ?? '';
					const [, written = ''] = /boundary=(.+)$/u.exec(contentType) ?? [];
					const sent = Buffer.from(await response.arrayBuffer()).toString('latin1');
					fc.pre(sent.split(`--${written}`).every(piece => !piece.includes(`--${boundary}`)));
					const body = Buffer.from(sent.replaceAll(written, boundary), 'latin1');
					const reading = readParts(body, contentType.replace(written, `"${boundary}"`));
					const lines = (text: string) => text.toWellFormed().replaceAll(/\r?\n|\r/gu, '\r\n');
					expect(
						reading.kind === 'parts'
							? reading.parts.map(one => ({
									name: one.name,
									fileName: one.fileName,
									contentType: one.contentType,
									content: Buffer.from(one.content).toString('latin1'),
								}))
							: reading.reason,
					).toEqual(
						entries.map(one =>
							'text' in one
								? {
										name: lines(one.name),
										fileName: undefined,
										contentType: undefined,
										content: Buffer.from(lines(one.text)).toString('latin1'),
									}
								: {
										name: lines(one.name),
										fileName: one.fileName.toWellFormed(),
										contentType: one.type || 'application/octet-stream',
										content: Buffer.from(one.content).toString('latin1'),
									},
						),
					);
				},
			),
		);
	});

	test('that are cut anywhere are refused, and nothing throws', async () => {
		const form = new FormData();
		form.append('a', '1');
		form.append('f', new File(['content'], 'f.txt', {type: 'text/plain'}));
		const response = new Response(form);
		const contentType = response.headers.get('content-type') ?? '';
		const body = Buffer.from(await response.arrayBuffer());
		const final = body.lastIndexOf('--');
		for (let length = 0; length < final + 2; length++) {
			expect(readParts(body.subarray(0, length), contentType).kind).toBe('malformed');
		}

		expect(readParts(body, contentType).kind).toBe('parts');
	});
});
