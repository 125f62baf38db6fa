import * as fastCheck from 'fast-check';
import stringWidth from 'string-width';
import {expect, test} from 'vitest';
import {cell, cutLine, lineWidth, lineWithEnd, span} from '../../../source/tui/text/span.ts';
import {drawUiGlyphs, uiGlyphs, glyphPlaceholders} from '../../../source/util/characters/ui-glyphs.ts';
import {cutToWidth, graphemes, splitAtWidth, textWidth, wrapToWidth} from '../../../source/tui/text/text-width.ts';
import {safeText} from '../../../source/util/safe-text.ts';

const drawn = (text: string) => drawUiGlyphs(text, 'unicode');

test.each([
	['abc', 5, 'abc'],
	['abcdef', 4, 'abc…'],
	['古いファイル', 5, '古い…'],
	['古いファイル', 6, '古い…'],
	['ab', 0, ''],
	['é́x', 1, '…'],
])('%s in %i cells is %s', (text, width, expected) => {
	expect(drawn(cutToWidth(text, width))).toBe(expected);
});

test.each([
	['one two three', 7, ['one two', 'three']],
	['abcdefgh', 3, ['abc', 'def', 'gh']],
	['a\nb', 9, ['a', 'b']],
	['', 5, ['']],
])('%j wrapped at %i is %j', (text, width, lines) => {
	expect(wrapToWidth(text, width)).toEqual(lines);
});

const anyText = fastCheck.string({unit: 'binary', maxLength: 80}).map(text => safeText(text));

test('a remembered width is the one that is measured', () => {
	const ours = fastCheck.constantFrom(...graphemes(uiGlyphs + glyphPlaceholders));
	const piece = fastCheck.oneof(anyText, ours, fastCheck.constantFrom('\u001B[2m', '\u001B[39;1m'));
	fastCheck.assert(
		fastCheck.property(fastCheck.array(piece, {maxLength: 12}), pieces => {
			const text = pieces.join('');
			expect([textWidth(text), textWidth(text)]).toEqual([stringWidth(text), stringWidth(text)]);
		}),
	);
});

test('a cell is exactly as wide as asked, whatever is in it', () => {
	fastCheck.assert(
		fastCheck.property(anyText, fastCheck.integer({min: 0, max: 30}), (text, width) => {
			expect(stringWidth(cell(text, width).text)).toBe(width);
		}),
	);
});

test('no wrapped line is wider than asked, and nothing but blanks is lost', () => {
	fastCheck.assert(
		fastCheck.property(anyText, fastCheck.integer({min: 2, max: 30}), (text, width) => {
			const lines = wrapToWidth(text, width);
			expect(Math.max(...lines.map(line => stringWidth(line)))).toBeLessThanOrEqual(width);
			expect(lines.join('').replaceAll(' ', '')).toBe(text.replaceAll(' ', ''));
		}),
	);
});

test('a line with an end fills the width and keeps the end', () => {
	const line = lineWithEnd([span('a long beginning')], [span('end')], 12);
	expect([lineWidth(line), drawn(line.map(piece => piece.text).join(''))]).toEqual([12, 'a long b…end']);
});

test('a line is cut inside the piece that passes the width', () => {
	expect(cutLine([span('ab'), span('cdef')], 4).map(piece => drawn(piece.text))).toEqual(['ab', 'c…']);
});

test.each(['word ', 'x', '世', 'é', '👩‍👩‍👧', 'a\u0301\u0302'])(
	'a line of 50,000 characters is wrapped and split at once: %j',
	piece => {
		const text = piece.repeat(Math.ceil(50_000 / piece.length));
		const before = process.cpuUsage().user;
		const wrapped = wrapToWidth(text, 78);
		const split = splitAtWidth(text, 78);
		expect((process.cpuUsage().user - before) / 1000).toBeLessThan(4000);
		expect(split.join('')).toBe(text);
		expect(wrapped.join('').replaceAll(' ', '')).toBe(text.replaceAll(' ', ''));
	},
);
