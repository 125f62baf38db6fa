import {describe, expect, test} from 'vitest';
import {
	arm,
	type Arming,
	type ArmingEvent,
	disarmed,
	quietMilliseconds,
	readableMilliseconds,
	readiness,
} from '../../../source/tui/state/arming.ts';

const a = (paintedAt: number | undefined, seenAt: number | undefined, inputAt: number | undefined): Arming => ({
	screen: 'a',
	paintedAt,
	seenAt,
	inputAt,
});
const b = (inputAt: number | undefined): Arming => ({...disarmed, screen: 'b', inputAt});

const states: Readonly<Record<string, Arming>> = {
	'nothing shown': disarmed,
	'shown, not painted': a(undefined, undefined, undefined),
	'painted, not seen': a(900, undefined, undefined),
	'seen, untouched': a(900, 1000, undefined),
	'seen, touched': a(900, 1000, 1500),
};

const events: Readonly<Record<string, ArmingEvent>> = {
	'the same screen again': {type: 'shown', screen: 'a'},
	'another screen': {type: 'shown', screen: 'b'},
	'its frame': {type: 'painted', screen: 'a', at: 2000},
	'a frame of another screen': {type: 'painted', screen: 'b', at: 2000},
	'its answer': {type: 'seen', screen: 'a', at: 2000},
	'an answer for another screen': {type: 'seen', screen: 'b', at: 2000},
	doubt: {type: 'unseen'},
	'a pause': {type: 'hidden'},
	input: {type: 'input', at: 2000},
};

const unshown = [
	['the same screen again', a(undefined, undefined, undefined)],
	['another screen', b(undefined)],
	['its frame', disarmed],
	['a frame of another screen', disarmed],
	['its answer', disarmed],
	['an answer for another screen', disarmed],
	['doubt', disarmed],
	['a pause', disarmed],
	['input', {...disarmed, inputAt: 2000}],
] as const;

const unpainted = [
	['the same screen again', a(undefined, undefined, undefined)],
	['another screen', b(undefined)],
	['its frame', a(2000, undefined, undefined)],
	['a frame of another screen', a(undefined, undefined, undefined)],
	['its answer', a(undefined, undefined, undefined)],
	['an answer for another screen', a(undefined, undefined, undefined)],
	['doubt', a(undefined, undefined, undefined)],
	['a pause', a(undefined, undefined, undefined)],
	['input', a(undefined, undefined, 2000)],
] as const;

const unseen = [
	['the same screen again', a(900, undefined, undefined)],
	['another screen', b(undefined)],
	['its frame', a(900, undefined, undefined)],
	['a frame of another screen', a(900, undefined, undefined)],
	['its answer', a(900, 2000, undefined)],
	['an answer for another screen', a(900, undefined, undefined)],
	['doubt', a(900, undefined, undefined)],
	['a pause', a(undefined, undefined, undefined)],
	['input', a(900, undefined, 2000)],
] as const;

const seen = (inputAt: number | undefined) =>
	[
		['the same screen again', a(900, 1000, inputAt)],
		['another screen', b(inputAt)],
		['its frame', a(900, 1000, inputAt)],
		['a frame of another screen', a(900, 1000, inputAt)],
		['its answer', a(900, 1000, inputAt)],
		['an answer for another screen', a(900, 1000, inputAt)],
		['doubt', a(900, undefined, inputAt)],
		['a pause', a(undefined, undefined, inputAt)],
		['input', a(900, 1000, 2000)],
	] as const;

const transitions = [
	...unshown.map(row => ['nothing shown', ...row] as const),
	...unpainted.map(row => ['shown, not painted', ...row] as const),
	...unseen.map(row => ['painted, not seen', ...row] as const),
	...seen(undefined).map(row => ['seen, untouched', ...row] as const),
	...seen(1500).map(row => ['seen, touched', ...row] as const),
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
		['painted, not seen', 9000, 'unseen'],
		['seen, untouched', 1000 + readableMilliseconds - 1, 'too-new'],
		['seen, untouched', 1000 + readableMilliseconds, 'ready'],
		['seen, touched', 1500 + quietMilliseconds - 1, 'not-quiet'],
		['seen, touched', 1500 + quietMilliseconds, 'ready'],
	] as const)('%s is at %i ms %s', (state, at, expected) => {
		expect(readiness(states[state]!, at)).toBe(expected);
	});

	test('the times are those of the design: 700 ms to read, 400 ms of quiet', () => {
		expect([readableMilliseconds, quietMilliseconds]).toEqual([700, 400]);
	});
});
