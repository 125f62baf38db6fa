import * as fc from 'fast-check';
import {describe, expect, test} from 'vitest';
import {jsonDocument} from '../../../source/commands/cli/listing.ts';

function isWithoutTags(value: unknown): boolean {
	return !/[\u{E0000}-\u{E007F}]/u.test(JSON.stringify(value));
}

describe('a JSON document', () => {
	test('gives back exactly what went in', () => {
		fc.assert(
			fc.property(fc.jsonValue().filter(isWithoutTags), value => {
				expect(JSON.parse(jsonDocument(value))).toEqual(JSON.parse(JSON.stringify(value)));
			}),
		);
	});

	test('marks tag characters, which spell text that nobody sees', () => {
		const hidden = Array.from('do it', letter => String.fromCodePoint(0xe_00_00 + (letter.codePointAt(0) ?? 0))).join(
			'',
		);
		expect(JSON.parse(jsonDocument({text: `a${hidden}`}))).toEqual({
			text: 'a‹U+E0064›‹U+E006F›‹U+E0020›‹U+E0069›‹U+E0074›',
		});
	});

	test.each(['\u001B', '\u009B', '\u007F', '\u202E', '\u200B', '\u2028', '\u{E0041}', '\uE000'])(
		'never holds %j itself',
		character => expect(jsonDocument({text: `a${character}b`})).not.toContain(character),
	);
});
