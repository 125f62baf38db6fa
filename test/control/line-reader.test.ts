import * as fc from 'fast-check';
import {describe, expect, test} from 'vitest';
import {createLineReader} from '../../source/control/line-reader.ts';

function read(chunks: readonly Buffer[], maximumBytes = 1000): {lines: string[]; tooLong: number} {
	const found = {lines: new Array<string>(), tooLong: 0};
	const reader = createLineReader({
		maximumBytes,
		onLine: line => void found.lines.push(line),
		onTooLong: () => void found.tooLong++,
	});
	for (const chunk of chunks) {
		reader.push(chunk);
	}

	return found;
}

describe('a stream of lines', () => {
	test('gives the same lines however it is split into chunks', () => {
		const line = fc.string({unit: 'grapheme'}).map(text => text.replaceAll('\n', ' '));
		fc.assert(
			fc.property(fc.array(line), fc.array(fc.nat(200)), (lines, cuts) => {
				const bytes = Buffer.from(lines.map(line => `${line}\n`).join(''));
				const places = [0, ...cuts.filter(cut => cut < bytes.length).sort((a, b) => a - b), bytes.length];
				const chunks = places.slice(1).map((end, index) => bytes.subarray(places[index], end));
				expect(read(chunks, 10_000).lines).toEqual(lines);
			}),
		);
	});

	test('gives no unfinished line', () => {
		expect(read([Buffer.from('one\ntw')]).lines).toEqual(['one']);
	});

	test('accepts a line of exactly the longest length', () => {
		expect(read([Buffer.from('12345\n')], 5)).toEqual({lines: ['12345'], tooLong: 0});
	});

	test.each([
		{chunks: ['123456\n'], how: 'in one piece'},
		{chunks: ['123', '456'], how: 'in pieces, before it ended'},
		{chunks: ['ok\n1234567', '89\nmore\n123456\n'], how: 'behind a good one'},
	])('reports a line that is too long once when it comes $how, and reads no further', ({chunks}) => {
		const found = read(
			chunks.map(chunk => Buffer.from(chunk)),
			5,
		);
		expect(found).toEqual({lines: chunks[0]?.startsWith('ok') ? ['ok'] : [], tooLong: 1});
	});
});
