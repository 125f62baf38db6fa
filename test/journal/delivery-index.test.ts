import * as fc from 'fast-check';
import {expect, test} from 'vitest';
import {createDeliveryIndex, deliveryHash} from '../../source/journal/delivery-index.ts';

const never = Number.MAX_SAFE_INTEGER;

test('a hash is stored in rows, so its value never changes', () => {
	expect(deliveryHash('github', '72d3162e-cc78-11e3-81ab-4c9367dc0958')).toBe(363872114);
});

test('whatever rows there are, those of a hash are offered until one is it', () => {
	// A few hashes for many rows, so that they meet; distances beyond a generation, and sequences that start again.
	const row = fc.record({
		hash: fc.oneof(fc.integer({min: -3, max: 3}), fc.constantFrom(2 ** 17, -(2 ** 17), 2 ** 31 - 1, -(2 ** 31))),
		step: fc.constantFrom(1, 1, 1, 2, 70_000, -5),
	});
	fc.assert(
		fc.property(fc.array(row, {maxLength: 40}), fc.nat(39), (rows, wanted) => {
			const index = createDeliveryIndex();
			let sequence = 100;
			const added = rows.map(({hash, step}) => {
				sequence += step;
				index.add({hash, sequence, expiresAt: never});
				return {hash, sequence};
			});
			const it = added[wanted];
			expect(index.find(it?.hash ?? 7, 0, one => one === it?.sequence)).toBe(it?.sequence);
		}),
	);
});

test('a generation whose ids have all expired is forgotten, one that holds a later one is not', () => {
	const index = createDeliveryIndex();
	index.add({hash: 1, sequence: 1, expiresAt: 10});
	index.add({hash: 2, sequence: 2, expiresAt: 20});
	expect([index.find(1, 19, () => true), index.find(1, 20, () => true)]).toEqual([1, undefined]);
});

test('more ids than a generation holds are all found', () => {
	const index = createDeliveryIndex();
	const count = 150_000;
	for (let sequence = 0; sequence < count; sequence++) {
		index.add({hash: deliveryHash('route', `${sequence}`), sequence, expiresAt: never});
	}

	const lost = Array.from({length: count}, (_, sequence) => sequence).filter(
		sequence => index.find(deliveryHash('route', `${sequence}`), 0, one => one === sequence) !== sequence,
	);
	expect(lost).toEqual([]);
});
