import {expect, test} from 'vitest';
import {createTextThrottle} from '../../source/agent/text-throttle.ts';
import {createFakeClock} from '../helpers/fake-clock.ts';

function openTap() {
	const clock = createFakeClock();
	const told: string[] = [];
	return {clock, told, tap: createTextThrottle(clock, text => told.push(text))};
}

test('a word is never reported in two pieces', async () => {
	const {clock, told, tap} = openTap();
	tap.add('The key is sk-12');
	await clock.advance(250);
	expect(told).toEqual(['The key is ']);
	tap.add('34 and\nthat');
	await clock.advance(250);
	expect(told.slice(1)).toEqual(['sk-1234 and\n']);
	tap.flush();
	expect(told.slice(2)).toEqual(['that']);
});

test('a word without an end is reported when 8000 characters wait', async () => {
	const {clock, told, tap} = openTap();
	tap.add('x'.repeat(8000));
	await clock.advance(250);
	expect(told).toEqual([]);
	tap.add('x');
	await clock.advance(250);
	expect(told).toHaveLength(1);
});
