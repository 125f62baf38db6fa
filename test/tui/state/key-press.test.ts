import {type Key} from 'ink';
import {expect, test} from 'vitest';
import {keyPressesOf} from '../../../source/tui/state/key-press.ts';
import {plainKey} from '../plain-key.ts';

const key = (change: Partial<Key> = {}): Key => ({...plainKey, ...change});
const names = (input: string, change: Partial<Key> = {}) =>
	keyPressesOf(input, key(change)).map(keyPress => keyPress.name);

test.each([
	['j', {}, ['j']],
	['J', {shift: true}, ['J']],
	['', {upArrow: true}, ['up']],
	['', {return: true}, ['enter']],
	['', {escape: true}, ['esc']],
	['', {tab: true, shift: true}, ['shift+tab']],
	['c', {ctrl: true}, ['ctrl+c']],
	['a', {meta: true}, ['meta+a']],
	[' ', {}, ['space']],
	['jjk', {}, ['j', 'j', 'k']],
	['y\r', {}, ['y', 'enter']],
	['é👨‍👩‍👧', {}, ['é', '👨‍👩‍👧']],
	['a', {eventType: 'release'}, []],
] as const)('%j with %j is %j', (input, change, expected) => {
	expect(names(input, change)).toEqual(expected);
});

test.each([
	['one key', 'a', {}, true],
	['a chunk', 'aa', {}, false],
	['a held key that the terminal reports', 'a', {eventType: 'repeat'}, false],
] as const)('%s: %j with %j is alone: %s', (...[, input, change, alone]) => {
	expect(keyPressesOf(input, key(change))[0]?.alone).toBe(alone);
});
