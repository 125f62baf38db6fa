import {assert, constantFrom, integer, nat, property, array, tuple} from 'fast-check';
import {expect, test} from 'vitest';
import {createBoundedMap} from '../../../source/util/limits/bounded-map.ts';
import {createFakeClock} from '../../helpers/fake-clock.ts';

test('a full map evicts the entry that was set the longest ago', () => {
	const evicted: Array<readonly [string, number]> = [];
	const map = createBoundedMap<string, number>({max: 2, onEvict: (value, key) => evicted.push([key, value])});
	map.set('a', 1);
	map.set('b', 2);
	map.set('a', 3);
	expect([map.get('b'), evicted]).toEqual([2, []]);
	map.set('c', 4);
	expect(evicted).toEqual([['b', 2]]);
	expect(map.entries()).toEqual([
		['a', 3],
		['c', 4],
	]);
	expect([map.has('b'), map.get('b'), map.has('a')]).toEqual([false, undefined, true]);
});

test('a deleted entry makes room and is not reported as evicted', () => {
	const evicted: string[] = [];
	const map = createBoundedMap<string, number>({max: 2, onEvict: (_, key) => evicted.push(key)});
	map.set('a', 1);
	map.set('b', 2);
	expect([map.delete('a'), map.delete('a')]).toEqual([true, false]);
	map.set('c', 3);
	expect([map.keys(), evicted]).toEqual([['b', 'c'], []]);
});

test('weights count instead of entries, and the newest entry stays even if it is too heavy by itself', () => {
	const map = createBoundedMap<string, string>({max: 10, weightOf: ({length}) => length});
	map.set('a', 'xxxx');
	map.set('b', 'xxxx');
	map.set('a', 'xxxxxx');
	expect(map.keys()).toEqual(['b', 'a']);
	map.set('c', 'x');
	expect(map.keys()).toEqual(['a', 'c']);
	map.set('d', 'x'.repeat(50));
	expect(map.keys()).toEqual(['d']);
	map.set('e', 'x');
	expect(map.keys()).toEqual(['e']);
});

test('an entry is gone once it reaches the age, and setting it again starts a new age', async () => {
	const clock = createFakeClock();
	const evicted: string[] = [];
	const age = {clock, milliseconds: 1000};
	const map = createBoundedMap<string, number>({max: 5, age, onEvict: (_, key) => evicted.push(key)});
	map.set('a', 1);
	map.set('b', 2);
	await clock.advance(600);
	map.set('a', 3);
	expect(map.keys()).toEqual(['b', 'a']);
	await clock.advance(399);
	expect([map.has('b'), map.get('b')]).toEqual([true, 2]);
	await clock.advance(1);
	expect([map.has('b'), map.get('b'), map.get('a')]).toEqual([false, undefined, 3]);
	await clock.advance(600);
	expect([map.keys(), map.entries(), evicted]).toEqual([[], [], []]);
});

test('the map holds what a list of the newest entries holds', () => {
	assert(
		property(
			integer({min: 1, max: 6}),
			array(tuple(constantFrom('set', 'set', 'delete'), nat(8), nat(100)), {maxLength: 60}),
			(max, steps) => {
				const map = createBoundedMap<number, number>({max});
				let model: ReadonlyArray<readonly [number, number]> = [];
				for (const [step, key, value] of steps) {
					model = model.filter(([other]) => other !== key);
					if (step === 'set') {
						map.set(key, value);
						model = [...model, [key, value] as const].slice(-max);
					} else {
						map.delete(key);
					}

					expect(map.entries()).toEqual(model);
				}
			},
		),
	);
});
