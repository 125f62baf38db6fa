import {expect, test} from 'vitest';
import {type KeyUses, mostUsed, withUse} from '../../../source/tui/state/key-uses.ts';
import {type Action} from '../../../source/tui/state/keymap.ts';

const after = (actions: readonly Action[], uses: KeyUses = {}) =>
	actions.reduce((counted, action) => withUse(counted, 'events', action), uses);
const often = (action: Action, count: number) => Array.from({length: count}, () => action);

test('a key is known to be wanted in a list from the fifth use there on, those used most first', () => {
	expect(mostUsed(after(often('replay', 4)), 'events')).toEqual([]);
	const uses = after([...often('replay', 5), ...often('filter', 7), ...often('open', 4)]);
	expect(mostUsed(uses, 'events')).toEqual(['filter', 'replay']);
	expect(mostUsed(uses, 'log')).toEqual([]);
});

test('keys that the footer never moves are not counted', () => {
	expect(after(['down', 'back', 'help', 'quit', 'view-log', 'approve-always'])).toEqual({});
	expect(after(['palette', 'new-run'])).toEqual({events: {palette: 1, 'new-run': 1}});
});

test('what was used long ago gives way, and no count grows without end', () => {
	const uses = after([...often('filter', 60), ...often('replay', 1000)]);
	expect(uses.events?.replay).toBeLessThan(100);
	expect(uses.events?.filter).toBeLessThan(5);
	expect(mostUsed(uses, 'events')).toEqual(['replay']);
});
