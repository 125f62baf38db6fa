import {expect, test} from 'vitest';
import {redactTexts} from '../../source/util/redact-texts.ts';

const redact = (text: string) => text.replaceAll('secret', '‹›');

test('texts at any depth are cleaned, in lists too, and everything else stays', () => {
	const value = {a: 'a secret', b: {c: ['secret', 'plain', {d: 'secret secret'}], e: 1}, f: null, g: undefined};
	expect(redactTexts(value, redact)).toStrictEqual({
		a: 'a ‹›',
		b: {c: ['‹›', 'plain', {d: '‹› ‹›'}], e: 1},
		f: null,
		g: undefined,
	});
});

test('the value that was given is left as it was', () => {
	const value = {list: ['secret'], inside: {text: 'secret'}};
	redactTexts(value, redact);
	expect(value).toStrictEqual({list: ['secret'], inside: {text: 'secret'}});
});

test('a value without anything to be cleaned is handed on itself', () => {
	const value = {a: 'plain', b: ['x', {c: 1}]};
	expect(redactTexts(value, redact)).toBe(value);
});

test('a member named __proto__ is a member', () => {
	const value: unknown = JSON.parse('{"__proto__": {"text": "secret"}}');
	expect(JSON.stringify(redactTexts(value, redact))).toBe('{"__proto__":{"text":"‹›"}}');
});
