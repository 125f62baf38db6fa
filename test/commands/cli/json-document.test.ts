import * as fc from 'fast-check';
import {describe, expect, test} from 'vitest';
import {jsonDocument} from '../../../source/commands/cli/listing.ts';

describe('a JSON document', () => {
	test('gives back exactly what went in', () => {
		fc.assert(
			fc.property(fc.jsonValue(), value => {
				expect(JSON.parse(jsonDocument(value))).toEqual(JSON.parse(JSON.stringify(value)));
			}),
		);
	});

	test.each(['\u001B', '\u009B', '\u007F', '\u202E', '\u200B', '\u2028', '\u{E0041}', '\uE000'])(
		'never holds %j itself',
		character => expect(jsonDocument({text: `a${character}b`})).not.toContain(character),
	);
});
