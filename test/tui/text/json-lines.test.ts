import {expect, test} from 'vitest';
import {jsonLines, jsonSpans} from '../../../source/tui/text/json-lines.ts';
import {lineWidth} from '../../../source/tui/text/span.ts';

const drawn = (text: string, width = 80) => jsonLines(text, width).map(line => line.map(piece => piece.text).join(''));

test.each([
	['{', [['{', 'normal']]],
	[
		'  "a b": "c: \\"d\\"",',
		[
			['  ', 'normal'],
			['"a b"', 'name'],
			[':', 'normal'],
			[' ', 'normal'],
			['"c: \\"d\\""', 'string'],
			[',', 'normal'],
		],
	],
	[
		'[-1.5e9, true, null]',
		[
			['[', 'normal'],
			['-1.5e9', 'number'],
			[',', 'normal'],
			[' ', 'normal'],
			['true', 'number'],
			[',', 'normal'],
			[' ', 'normal'],
			['null', 'number'],
			[']', 'normal'],
		],
	],
	['Error: {"a": 1', [['Error: {"a": 1', 'normal']]],
	['"unfinished', [['"unfinished', 'normal']]],
])('%j is coloured by its tokens, if it has no others', (line, pieces) => {
	expect(jsonSpans(line).map(({text, tone}) => [text, tone])).toEqual(pieces);
});

test('a document of one line has a line for each member, with its tokens as they are written', () => {
	expect(drawn('{"a":[1,{"b":{}}],"n":12345678901234567890.10,"e":[],"s":"a, {b: c}"}')).toEqual([
		' {',
		'   "a": [',
		'     1,',
		'     {',
		'       "b": {}',
		'     }',
		'   ],',
		'   "n": 12345678901234567890.10,',
		'   "e": [],',
		'   "s": "a, {b: c}"',
		' }',
	]);
});

test.each(['{"a": 1', '{a: 1}', 'plain text', '[1] "x"', '{"a":1}\n{"b":2}', '', '  {"a":1}'])(
	'%j keeps its lines and every character',
	text => {
		expect(drawn(text)).toEqual(text.split('\n').map(line => ` ${line}`));
	},
);

test('long lines are split within the width, and lose nothing', () => {
	const value = JSON.stringify({text: '世界'.repeat(40), more: 'x'.repeat(100)});
	const lines = jsonLines(value, 30);
	expect(Math.max(...lines.map(lineWidth))).toBeLessThanOrEqual(30);
	expect(
		JSON.parse(
			drawn(value, 30)
				.map(line => line.slice(1))
				.join(''),
		),
	).toEqual(JSON.parse(value));
});
