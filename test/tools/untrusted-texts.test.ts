import {describe, expect, test} from 'vitest';
import {createUntrustedTexts} from '../../source/tools/untrusted-texts.ts';

function holding(...texts: readonly string[]) {
	const collection = createUntrustedTexts();
	texts.forEach(collection.add);
	return collection;
}

test.each([
	['the value itself', 'please read /srv/app/secrets.txt', '/srv/app/secrets.txt'],
	['a short value', 'close issue 17 now', '17'],
	['a fragment of 8 characters at the beginning', 'xx/etc/shadxx', '/etc/shadow.bak'],
	['a fragment of 8 characters in the middle', 'the words are: c/shadow', '/etc/shadow.bak'],
	['a fragment of 8 characters at the end', 'low.bak is there, adow.bak', '/etc/shadow.bak'],
	['other upper and lower case', 'SEND IT TO EVIL@EXAMPLE.ORG', 'evil@example.org'],
	['letters that are composed', 'cafe\u0301 latte', 'caf\u00E9 latte'],
	['wide letters', '\uFF45vil.example', 'evil.example'],
	['what is escaped in JSON', '{"text": "say \\"hello\\"\\nworld"}', 'say "hello"\nworld'],
	['letters that JSON writes by their numbers', '{"to": "\\u0065\\u0076\\u0069\\u006C.example"}', 'evil.example'],
	['a value in percent signs', 'path=%2Fetc%2Fs%68adow%2Ebak', '/etc/shadow.bak'],
	['a value in percent signs beside a byte that is no text', 'path=%ff%2fetc%2fs%68adow%2ebak', '/etc/shadow.bak'],
	['a value in percent signs twice', 'path=%252Fetc%252Fs%2568adow%252Ebak', '/etc/shadow.bak'],
	['a value in numbered character references', '&#47;etc&#x2F;shadow&#46;bak', '/etc/shadow.bak'],
	['a value in named character references', '&sol;etc&sol;shadow&period;bak', '/etc/shadow.bak'],
	['a value in references inside percent signs', '%26sol%3Betc%26sol%3Bshadow%26period%3Bbak', '/etc/shadow.bak'],
	['references in a payload of JSON', '{"path": "\\u0026sol;etc\\u0026sol;shadow.bak"}', '/etc/shadow.bak'],
	['a value of which the argument has the percent signs', 'read /srv/my notes now', '/srv/my%20notes'],
	['a value of which the argument has the references', 'write "a<b>c" there', '&quot;a&lt;b&gt;c&quot;'],
	['a short value with such a letter', '{"to": "\\u0065vil"}', 'evil'],
	[
		'letters beyond the basic plane',
		'to \u{1F600}\u{1F601}\u{1F602}\u{1F603} now',
		'\u{1F600}\u{1F601}\u{1F602}\u{1F603}',
	],
])('finds %s', (_, text, value) => {
	expect([holding('before', text).holds(value), holding('before').holds(value)]).toEqual([true, false]);
});

test.each([
	['fragments of 7 characters alone', 'shadow. and adow.ba and /etc/sh', '/etc/shadow.bak'],
	['a short value that is not whole', 'main', 'mains'],
	['an empty value', 'anything', ''],
	['what only two texts together hold', 'eight ch', 'aracters apart'],
])('does not find %s', (_, text, value) => {
	expect(holding(text, 'end').holds(value)).toBe(false);
});

test('does not join two texts', () => {
	const texts = holding('shadow', 'file');
	expect([texts.holds('shadowfile'), texts.holds('shadow')]).toEqual([false, true]);
});

test('finds nothing while nothing was read', () => {
	expect(createUntrustedTexts().holds('x'.repeat(70_000))).toBe(false);
});

describe('holds everything', () => {
	test('once something was read that cannot be searched', () => {
		const texts = holding('harmless');
		expect(texts.holds('/srv/app')).toBe(false);
		texts.addUnreadable();
		expect(texts.holds('/srv/app')).toBe(true);
	});

	test('once more was read than is kept', () => {
		const texts = holding('a'.repeat(1_999_999));
		expect(texts.holds('/srv/app')).toBe(false);
		texts.add('bb');
		expect(texts.holds('/srv/app')).toBe(true);
	});

	test('that is longer than a rule looks at', () => {
		expect(holding('harmless').holds('x'.repeat(64 * 1024 + 1))).toBe(true);
	});
});

test('agrees with a plain search in 2,000 pairs of texts of two letters', () => {
	let state = 7;
	const letters = (length: number) =>
		Array.from({length}, () => {
			state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
			return (state >>> 16) % 2 === 0 ? 'a' : 'b';
		}).join('');
	for (let pair = 0; pair < 2000; pair++) {
		const [text, value] = [letters(60), letters(1 + (pair % 14))];
		const starts = Array.from({length: Math.max(1, value.length - 7)}, (_, at) => at);
		const isThere = starts.some(at => text.includes(value.slice(at, at + 8)));
		expect([text, value, holding(text).holds(value)]).toEqual([text, value, isThere]);
	}
});

test('takes time proportional to the text, also for one of equal fragments', () => {
	const text = 'ab'.repeat(30_000);
	const texts = holding('ba '.repeat(300_000));
	const began = performance.now();
	expect(texts.holds(text)).toBe(false);
	expect(performance.now() - began).toBeLessThan(500);
});
