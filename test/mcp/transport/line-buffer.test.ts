import * as fc from 'fast-check';
import {expect, test} from 'vitest';
import {createLineBuffer} from '../../../source/mcp/transport/line-buffer.ts';

test('lines are the same however the bytes are cut', () => {
	const line = fc.string({unit: 'grapheme'}).map(text => text.replaceAll(/[\r\n]/gu, ''));
	fc.assert(
		fc.property(fc.array(line), fc.array(fc.nat(20)), (lines, cuts) => {
			const bytes = Buffer.from(lines.map(text => `${text}\n`).join(''));
			const buffer = createLineBuffer(10_000);
			const read: string[] = [];
			let start = 0;
			for (const cut of [...cuts, bytes.length]) {
				read.push(...buffer.push(bytes.subarray(start, start + cut)));
				start += cut;
			}

			expect(read).toEqual(lines);
		}),
	);
});

test('CR LF ends a line too', () => {
	expect(createLineBuffer(100).push(Buffer.from('a\r\nb\r\n'))).toEqual(['a', 'b']);
});

test('an unfinished line past the limit is an error', () => {
	const buffer = createLineBuffer(10);
	buffer.push(Buffer.from('123456'));
	expect(() => buffer.push(Buffer.from('78901'))).toThrow('more than 10 bytes');
});
