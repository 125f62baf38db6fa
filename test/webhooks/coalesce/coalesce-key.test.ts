import {expect, test} from 'vitest';
import {coalesceKey} from '../../../source/webhooks/coalesce/coalesce-key.ts';

const payload = {id: 7, name: 'n', none: null, blank: ' ', deep: {id: 'x'}, list: [1], off: false};
const scope = {payload, event: 'push', deliveryId: 'd', route: 'r'};
const key = (text: string, over = scope) => coalesceKey(text, over, new Map([['x-entity', 'e']]));

test.each([
	['id', '7'],
	['deep.id', 'x'],
	['payload.deep.id', 'x'],
	['list.0', '1'],
	['deep', '{"id":"x"}'],
	['off', 'false'],
	['event', 'push'],
	['headers.X-Entity', 'e'],
	['{deep.id}#{id}', 'x#7'],
	['{event_type}/{name}', 'push/n'],
	['missing', undefined],
	['none', undefined],
	['blank', undefined],
	['{id}{missing}', undefined],
	['{id}{none}', undefined],
	['{blank}', undefined],
	['{__proto__}', undefined],
])('%s resolves to %s', (text, expected) => {
	expect(key(text)).toBe(expected);
});

test('two long keys with the same beginning stay two', () => {
	const long = (end: string) => key('name', {...scope, payload: {...payload, name: 'x'.repeat(5000) + end}});
	expect(long('a')).toMatch(/^sha256:[0-9a-f]{64}$/u);
	expect(long('a')).not.toBe(long('b'));
	expect(long('a')).toBe(long('a'));
});
