import {describe, expect, test} from 'vitest';
import {
	arm,
	type Arming,
	type ArmingEvent,
	disarmed,
	quietMilliseconds,
	readableMilliseconds,
	readiness,
} from '../../source/tui/arming.ts';

const states: Readonly<Record<string, Arming>> = {
	'nothing shown': disarmed,
	'shown, not painted': {screen: 'a', paintedAt: undefined, inputAt: undefined},
	'painted, untouched': {screen: 'a', paintedAt: 1000, inputAt: undefined},
	'painted, touched': {screen: 'a', paintedAt: 1000, inputAt: 1500},
};

const events: Readonly<Record<string, ArmingEvent>> = {
	'the same screen again': {type: 'shown', screen: 'a'},
	'another screen': {type: 'shown', screen: 'b'},
	'its frame': {type: 'painted', screen: 'a', at: 2000},
	'a frame of another screen': {type: 'painted', screen: 'b', at: 2000},
	input: {type: 'input', at: 2000},
};

const a = (paintedAt: number | undefined, inputAt: number | undefined): Arming => ({screen: 'a', paintedAt, inputAt});
const b = (inputAt: number | undefined): Arming => ({screen: 'b', paintedAt: undefined, inputAt});

const transitions: ReadonlyArray<readonly [string, string, Arming]> = [
	['nothing shown', 'the same screen again', a(undefined, undefined)],
	['nothing shown', 'another screen', b(undefined)],
	['nothing shown', 'its frame', disarmed],
	['nothing shown', 'a frame of another screen', disarmed],
	['nothing shown', 'input', {...disarmed, inputAt: 2000}],
	['shown, not painted', 'the same screen again', a(undefined, undefined)],
	['shown, not painted', 'another screen', b(undefined)],
	['shown, not painted', 'its frame', a(2000, undefined)],
	['shown, not painted', 'a frame of another screen', a(undefined, undefined)],
	['shown, not painted', 'input', a(undefined, 2000)],
	['painted, untouched', 'the same screen again', a(1000, undefined)],
	['painted, untouched', 'another screen', b(undefined)],
	['painted, untouched', 'its frame', a(1000, undefined)],
	['painted, untouched', 'a frame of another screen', a(1000, undefined)],
	['painted, untouched', 'input', a(1000, 2000)],
	['painted, touched', 'the same screen again', a(1000, 1500)],
	['painted, touched', 'another screen', b(1500)],
	['painted, touched', 'its frame', a(1000, 1500)],
	['painted, touched', 'a frame of another screen', a(1000, 1500)],
	['painted, touched', 'input', a(1000, 2000)],
];

describe('the arming of deciding keys', () => {
	test.each(transitions)('%s + %s', (state, event, after) => {
		expect(arm(states[state]!, events[event]!)).toEqual(after);
	});

	test('the table holds every pair', () => {
		expect(transitions).toHaveLength(Object.keys(states).length * Object.keys(events).length);
	});

	test.each([
		['nothing shown', 9000, 'unpainted'],
		['shown, not painted', 9000, 'unpainted'],
		['painted, untouched', 1000 + readableMilliseconds - 1, 'too-new'],
		['painted, untouched', 1000 + readableMilliseconds, 'ready'],
		['painted, touched', 1500 + quietMilliseconds - 1, 'not-quiet'],
		['painted, touched', 1500 + quietMilliseconds, 'ready'],
	] as const)('%s is at %i ms %s', (state, at, expected) => {
		expect(readiness(states[state]!, at)).toBe(expected);
	});

	test('the times are those of the design: 700 ms to read, 400 ms of quiet', () => {
		expect([readableMilliseconds, quietMilliseconds]).toEqual([700, 400]);
	});
});
