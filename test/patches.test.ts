import {readdirSync, readFileSync} from 'node:fs';
import stringWidth from 'string-width';
import {describe, expect, test} from 'vitest';

const folder = new URL('../patches/', import.meta.url);
const patches = readdirSync(folder).map(name => ({name, text: readFileSync(new URL(name, folder), 'utf8')}));

describe('A change of a library', () => {
	test.each(patches)('has at most 40 lines and the text in which it is offered upstream: $name', ({name, text}) => {
		const changed = text.split('\n').filter(line => /^[+-](?![+-]{2})/.test(line));
		expect(changed.length).toBeLessThanOrEqual(40);
		expect(readFileSync(new URL('../docs/upstream.md', import.meta.url), 'utf8')).toContain(`\`patches/${name}\``);
	});
});

describe('string-width with its change', () => {
	const published = new RegExp('^\\p{RGI_Emoji}$', 'v');

	test('is the one that is installed', () => {
		expect(readFileSync(new URL(import.meta.resolve('string-width')), 'utf8')).toContain('isRgiEmoji');
	});

	test('still gives every emoji of the published pattern two columns', () => {
		const emoji = emojiCandidates().filter(text => published.test(text));
		expect(emoji.length).toBeGreaterThan(1500);
		expect(emoji.filter(text => stringWidth(text) !== 2)).toEqual([]);
	});

	test('gives text that looks like the start of an emoji the width of its characters', () => {
		expect(['3', '#', '©', '✔', '▲', '●', 'é'].map(text => stringWidth(text))).toEqual([1, 1, 1, 1, 1, 1, 1]);
	});
});

/** Each character alone, as emoji, as keycap and with a skin tone; each pair of regional indicators; sequences joined with U+200D; flags of regions. */
function emojiCandidates(): readonly string[] {
	const characters = Array.from({length: 0x2_00_00}, (_, code) => String.fromCodePoint(code));
	const regional = Array.from({length: 26}, (_, index) => String.fromCodePoint(0x1_f1_e6 + index));
	const joined = ['👩‍💻', '👨‍👩‍👧‍👦', '❤️‍🔥', '🏳️‍🌈', '🧑🏽‍🤝‍🧑🏿', '⛹🏻‍♀️', '🐻‍❄️', '🏴󠁧󠁢󠁥󠁮󠁧󠁿'];
	return [
		...characters,
		...characters.flatMap(one => [`${one}\uFE0F`, `${one}\uFE0F\u20E3`, `${one}\u{1F3FD}`]),
		...regional.flatMap(first => regional.map(second => first + second)),
		...joined,
	];
}
