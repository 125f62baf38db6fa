import {expect, test} from 'vitest';
import {deliveryIdOf} from '../../../source/webhooks/signature/delivery-id.ts';

const inOrder = ['x-github-delivery', 'svix-id', 'webhook-id', 'x-request-id'];

test.each(inOrder.map((name, index) => ({name, later: inOrder.slice(index)})))(
	'$name comes before what follows',
	({name, later}) => {
		const headers = new Map(later.map(other => [other, `id of ${other}`]));
		expect(deliveryIdOf(headers, 0)).toEqual({id: `id of ${name}`, source: 'sender'});
	},
);

test('an empty header is none', () => {
	const headers = new Map([
		['x-github-delivery', ' '],
		['x-request-id', 'r'],
	]);
	expect(deliveryIdOf(headers, 0)).toEqual({id: 'r', source: 'sender'});
});

test('without a header the id is fresh and begins with the arrival time', () => {
	const first = deliveryIdOf(new Map(), 1_700_000_000_123);
	const second = deliveryIdOf(new Map(), 1_700_000_000_123);
	expect(first).toEqual({id: expect.stringMatching(/^1700000000123-/u), source: 'arrival'});
	expect(second.id).not.toBe(first.id);
});

test('a long id is stored as its hash, so that two with one beginning stay different', () => {
	const idOf = (text: string) => deliveryIdOf(new Map([['x-request-id', text]]), 0).id;
	const long = 'x'.repeat(10_000);
	expect(idOf(long)).toMatch(/^sha256:[0-9a-f]{64}$/u);
	expect(idOf(`${long}a`)).not.toBe(idOf(`${long}b`));
	expect(idOf('x'.repeat(256))).toBe('x'.repeat(256));
});
