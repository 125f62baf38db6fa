import {describe, expect, test} from 'vitest';
import {demoDelivery} from '../../source/demo/demo-deliveries.ts';

const round = Array.from({length: 8}, (_, number) => demoDelivery(number));

describe('a round of deliveries', () => {
	test('has one with a forged signature', () => {
		expect(round.filter(delivery => delivery.signature === 'forged')).toHaveLength(1);
	});

	test('has one of a type nobody asked for', () => {
		expect(round.map(delivery => delivery.event)).toContain('star');
	});

	test('repeats one delivery', () => {
		expect(demoDelivery(12)).toEqual(demoDelivery(8));
	});

	test('has one for a route that is not there', () => {
		expect(round.map(delivery => delivery.route)).toContain('demo-forgotten');
	});

	test('uses no delivery id of the round before', () => {
		const ids = (from: number) => Array.from({length: 8}, (_, index) => demoDelivery(from + index).deliveryId);
		expect(ids(8).filter(id => ids(0).includes(id))).toEqual([]);
	});
});
