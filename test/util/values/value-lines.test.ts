import {expect, test} from 'vitest';
import {indentJson, type JsonValue} from '../../../source/util/json-text.ts';
import {spokenWording} from '../../../source/util/values/line-wording.ts';
import {valueLines} from '../../../source/util/values/value-lines.ts';
import {readLines} from '../../helpers/read-back.ts';

const values: readonly JsonValue[] = [
	{},
	[],
	{a: {}, b: [], c: null},
	{title: 'x"y', labels: ['a', {deep: [1, [2]]}], 'odd name': true},
	'text',
	[[[]]],
];

test.each(values)('%j is written as JSON is', value => {
	const text = valueLines(value, {form: 'lines'})
		.lines.map(line => line.text)
		.join('\n');
	expect(text).toBe(indentJson(value));
});

test.each<JsonValue>(['a\nb', ['a\n', {old_string: 'x', new_string: 'y'}], {name: 'a\tb', 'odd\nname': 'c\nd'}])(
	'%j is written as JSON in its raw form, which says that it has others',
	value => {
		const {lines, texts} = valueLines(value, {form: 'raw'});
		expect(lines.map(line => line.text).join('\n')).toBe(indentJson(value));
		expect(texts).toBeGreaterThan(0);
	},
);

test('values at the paths are marked, with all that is in them', () => {
	const marked = valueLines(
		{title: 'x', labels: ['a', 'b'], more: {y: 1}},
		{form: 'lines', paths: new Set(['labels.1', 'more'])},
	)
		.lines.filter(line => line.marked)
		.map(line => line.text.trim());
	expect(marked).toEqual(['"b"', '"more": {', '"y": 1', '}']);
});

test.each([
	['old_string', ['edit', '- │ b', 'end']],
	['new_string', ['edit', '+ │ c', 'end']],
])('an edit whose %s is marked marks its lines, and not those of the other text', (name, wanted) => {
	const edit = {old_string: 'b', new_string: 'c'};
	const marked = valueLines({edits: [edit]}, {form: 'lines', paths: new Set([`edits.0.${name}`])})
		.lines.filter(line => line.marked)
		.map(line => line.text);
	expect(marked).toHaveLength(3);
	wanted.forEach((words, index) => expect(marked[index]).toContain(words));
});

test('a line that is longer than allowed goes on in the next one, and reads back', () => {
	const value = {
		text: `${'x'.repeat(25)}\n\n${'😀'.repeat(9)}\n`,
		one: 'y'.repeat(30),
		old_str: 'z'.repeat(20),
		new_str: '',
	};
	const lines = valueLines(value, {form: 'lines', bounds: {maxCharacters: 15}}).lines.map(({text}) => text);
	expect(lines.slice(1, 4)).toEqual(['  "text": ┌ 3 lines', '1 │ xxxxxxxxxxxxxxx', '… │ xxxxxxxxxx']);
	expect(lines).toContain('… │ yyyyyyyyyyyyyyy');
	expect(readLines(lines)).toEqual(value);
});

test('no line is written after the last that is allowed', () => {
	const value = {text: 'a\n'.repeat(100), old_str: 'b\n'.repeat(50), new_str: '', list: [1, 2]};
	for (const maxLines of [1, 2, 50, 105, 160]) {
		expect(valueLines(value, {form: 'lines', bounds: {maxLines}}).lines.length).toBeLessThanOrEqual(maxLines);
	}
});

test('is read out with the place of each line and words for what nobody hears', () => {
	const value = {text: 'a\u240D\n\u241B\tb  \n', old_string: 'x\ny', new_string: 'x\nz'};
	expect(valueLines(value, {form: 'lines', wording: spokenWording}).lines.map(({text}) => text)).toEqual([
		'{',
		'  "text": text of 2 lines:',
		'line 1: a‹carriage return›',
		'line 2: ‹U+001B›‹tab›b‹2 blanks›',
		'End of the text: ends with a line end.',
		'  "old_string": an edit, 2 lines become 2 lines:',
		'line 1, now 1, unchanged: x',
		'line 2, removed: y',
		'new line 2, added: z',
		'End of the edit: both end without a line end.',
		'  "new_string": the text after the edit, as above.',
		'}',
	]);
});
