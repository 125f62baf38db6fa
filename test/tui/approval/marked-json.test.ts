import {expect, test} from 'vitest';
import {indentJson, type JsonValue} from '../../../source/util/json-text.ts';
import {markedJson} from '../../../source/tui/approval/marked-json.ts';

const values: readonly JsonValue[] = [
	{},
	[],
	{a: {}, b: [], c: null},
	{title: 'x"y', labels: ['a', {deep: [1, [2]]}], 'odd name': true},
	'text',
	[[[]]],
];

test.each(values)('%j is written as JSON is', value => {
	const text = markedJson(value, new Set())
		.map(line => line.text)
		.join('\n');
	expect(text).toBe(indentJson(value));
});

test('values at the paths are marked, with all that is in them', () => {
	const marked = markedJson({title: 'x', labels: ['a', 'b'], more: {y: 1}}, new Set(['labels.1', 'more']))
		.filter(line => line.marked)
		.map(line => line.text.trim());
	expect(marked).toEqual(['"b"', '"more": {', '"y": 1', '}']);
});
