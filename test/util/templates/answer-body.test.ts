import {decodeXML} from 'entities';
import * as fc from 'fast-check';
import {expect, test} from 'vitest';
import {renderAnswerBody} from '../../../source/util/templates/answer-body.ts';

const anyText = fc.string({unit: 'binary', maxLength: 40});

test('no result ends the JSON text that it stands in', () => {
	fc.assert(
		fc.property(anyText, result => {
			const body = renderAnswerBody({contentType: 'application/json', pieces: ['{"a":"', '","b":1}']}, result);
			expect(JSON.parse(body)).toEqual({a: result.toWellFormed(), b: 1});
		}),
	);
});

test.each(['text/xml', 'application/xml'] as const)(
	'no result ends the element or the attribute of %s',
	contentType => {
		fc.assert(
			fc.property(anyText, result => {
				const body = renderAnswerBody({contentType, pieces: ['<a b="', '">', '</a>']}, result);
				const inside = /^<a b="(?<attribute>[^"<]*)">(?<text>[^<>"']*)<\/a>$/u.exec(body)?.groups;
				expect(inside?.['text']).toBe(inside?.['attribute']);
				const written = Array.from(result.toWellFormed(), sign =>
					/[^\t\n\r\u{20}-\u{D7FF}\u{E000}-\u{FFFD}\u{10000}-\u{10FFFF}]/u.test(sign) ? '\uFFFD' : sign,
				);
				expect(decodeXML(inside?.['text'] ?? '')).toBe(written.join(''));
			}),
		);
	},
);

test('plain text is what it is', () => {
	expect(renderAnswerBody({contentType: 'text/plain', pieces: ['a ', ' b']}, '<x> & "y"')).toBe('a <x> & "y" b');
});
