import * as fc from 'fast-check';
import {describe, expect, test} from 'vitest';
import {cutMiddle} from '../../source/tools/cut-middle.ts';

describe('cutMiddle', () => {
	test('leaves a text alone that fits', () => {
		expect(cutMiddle('x'.repeat(100), 100)).toBe('x'.repeat(100));
	});

	test('keeps head and tail and says how much is missing', () => {
		expect(cutMiddle(`${'a'.repeat(5000)}${'z'.repeat(5000)}`, 100)).toMatch(
			/^a{37}\n… 9,927 characters cut …\nz{36}$/,
		);
	});

	test('never makes it longer than allowed, and never cuts a pair', () => {
		const text = fc.string({unit: fc.constantFrom('a', '🙂'), minLength: 80, maxLength: 300});
		fc.assert(
			fc.property(text, fc.integer({min: 60, max: 200}), (text, maximum) => {
				const cut = cutMiddle(text, maximum);
				expect(cut.length).toBeLessThanOrEqual(maximum);
				expect(cut.isWellFormed()).toBe(true);
			}),
		);
	});

	test('says the true number', () => {
		const cut = cutMiddle('x'.repeat(10_000), 200);
		const told = Number(/… ([\d,]+) characters/.exec(cut)?.[1]?.replace(',', ''));
		expect(told).toBe(10_000 - cut.replace(/\n….*…\n/, '').length);
	});
});
