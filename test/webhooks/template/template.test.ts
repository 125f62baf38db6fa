import * as fc from 'fast-check';
import {describe, expect, test} from 'vitest';
import {type JsonValue} from '../../../source/util/json-text.ts';
import {parseExactJson} from '../../../source/webhooks/payload/exact-json.ts';
import {
	renderDestinations,
	renderPrompt,
	renderTemplate,
	type TemplateScope,
} from '../../../source/webhooks/template/template.ts';
import {to} from '../../helpers/destinations.ts';

function scope(payload: JsonValue): TemplateScope {
	return {payload, event: 'push', deliveryId: 'd-1', route: 'r'};
}

function render(template: string, payload: JsonValue): string {
	return renderTemplate(template, scope(payload));
}

describe('variables', () => {
	const payload: JsonValue = {
		text: 'bare',
		number: 1.5,
		yes: true,
		nothing: null,
		list: ['a', {b: 2}],
		deep: {'with-dash': {x_1: 'found'}},
		größe: 'L',
	};
	test.each([
		{template: '{text}!', expected: 'bare!'},
		{template: '{number} {yes} {nothing}', expected: '1.5 true null'},
		{template: '{list}', expected: '["a",{"b":2}]'},
		{template: '{list.1.b}{list.0}', expected: '2a'},
		{template: '{deep.with-dash.x_1}', expected: 'found'},
		{template: '{größe}', expected: 'L'},
		{
			template: '{absent} {text.length} {list.length} {list.9} {list.-1}',
			expected: '{absent} {text.length} {list.length} {list.9} {list.-1}',
		},
		{template: '{} {a b} {{text}} {text', expected: '{} {a b} {bare} {text'},
		{
			template: '{toString} {constructor} {constructor.name} {__proto__}',
			expected: '{toString} {constructor} {constructor.name} {__proto__}',
		},
		{template: '{event_type} {delivery_id} {route}', expected: 'push d-1 r'},
	])('$template', ({template, expected}) => {
		expect(render(template, payload)).toBe(expected);
	});

	test('a member of the payload beats the variable of that name', () => {
		expect(render('{route} {event_type}', {route: 'mine'})).toBe('mine push');
	});

	test('__proto__ is literal even when the payload has such a member', () => {
		const payload = parseExactJson('{"__proto__": {"x": "y"}, "constructor": "z"}') ?? null;
		expect(render('{__proto__.x} {constructor}', payload)).toBe('{__proto__.x} {constructor}');
	});

	test('integers beyond 2^53 keep their digits, alone and nested', () => {
		const payload = parseExactJson('{"id": 12345678901234567890, "list": [9007199254740993]}') ?? null;
		expect(render('{id} {list}', payload)).toBe('12345678901234567890 [9007199254740993]');
		expect(render('{id.rawJSON}', payload)).toBe('{id.rawJSON}');
		expect(render('{__raw__}', payload)).toContain('"id": 12345678901234567890');
	});
});

describe('lengths', () => {
	test('a nested value is cut at 2000 code points', () => {
		expect(render('{list}', {list: ['😀'.repeat(3000)]})).toBe(`["${'😀'.repeat(1998)}`);
	});

	test('a string is not cut', () => {
		expect(render('{text}', {text: 'x'.repeat(5000)})).toHaveLength(5000);
	});

	test('{__raw__} is the indented payload, cut at 4000 code points', () => {
		expect(render('<{__raw__}>', {a: 1})).toBe('<{\n  "a": 1\n}>');
		expect(Array.from(render('{__raw__}', ['😀'.repeat(5000)]))).toHaveLength(4000);
	});

	test('without a template the prompt is the indented payload', () => {
		expect(renderPrompt(undefined, scope([1]))).toBe('[\n  1\n]');
	});
});

describe('what is rendered is never rendered again', () => {
	test('{secret} and {__raw__} in a payload stay', () => {
		expect(render('{a}{b}', {a: '{b}', b: '{__raw__}'})).toBe('{b}{__raw__}');
	});

	test('for any texts the output is the texts', () => {
		const text = fc.oneof(fc.string(), fc.constantFrom('{a}', '{b}', '{__raw__}', '{', '}', '$&', '$1', '$`'));
		fc.assert(
			fc.property(text, text, (a, b) => {
				expect(render('{a}|{b}', {a, b})).toBe(`${a}|${b}`);
			}),
		);
	});
});

describe('deliver_extra', () => {
	test('strings are rendered at any depth, everything else stays', () => {
		const extra = {repo: '{repo}', pr: 7, flags: [true, '{n}', null], nested: {'{repo}': '{repo}'}};
		const rendered = {repo: 'o/r', pr: 7, flags: [true, '3', null], nested: {'{repo}': 'o/r'}};
		const destinations = [...to('slack', extra), ...to('log')];
		expect(renderDestinations(destinations, scope({repo: 'o/r', n: 3}))).toEqual([
			...to('slack', rendered),
			...to('log'),
		]);
	});
});
