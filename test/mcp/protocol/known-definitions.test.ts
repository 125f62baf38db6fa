import {expect, test} from 'vitest';
import {createKnownDefinitions} from '../../../source/mcp/protocol/known-definitions.ts';

const tool = (name: string, description = '') => ({name, description, inputSchema: {type: 'object'}});

test('a list that comes again keeps the objects of what is the same, and no others', () => {
	const keepKnown = createKnownDefinitions();
	const before = keepKnown([tool('a'), tool('b'), tool('c')]);
	const after = keepKnown([tool('d'), tool('b', 'changed'), tool('a')]);
	expect(after).toEqual([tool('d'), tool('b', 'changed'), tool('a')]);
	expect(after.map(definition => before.indexOf(definition))).toEqual([-1, -1, 0]);
});

test('what the list before the last had is forgotten', () => {
	const keepKnown = createKnownDefinitions();
	const [first] = keepKnown([tool('a')]);
	keepKnown([]);
	expect(keepKnown([tool('a')])[0]).not.toBe(first);
});

test('tools of one name stay as many objects as the server lists', () => {
	const keepKnown = createKnownDefinitions();
	keepKnown([tool('a'), tool('a')]);
	const [first, second] = keepKnown([tool('a'), tool('a')]);
	expect(first).not.toBe(second);
});
