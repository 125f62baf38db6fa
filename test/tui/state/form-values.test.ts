import {expect, test} from 'vitest';
import {type AnyField} from '../../../source/tui/state/form.ts';
import {fieldValue} from '../../../source/tui/state/form-values.ts';

const named = {name: 'x', title: '', description: '', need: 'required'} as const;
const text = {...named, kind: 'text'} as const;
const options = [
	{value: 'a', title: 'A'},
	{value: 'b', title: 'B'},
];

test.each<readonly [AnyField, readonly string[], unknown]>([
	[text, ['hi'], 'hi'],
	[{...text, minimumLength: 2, maximumLength: 2}, ['😀😀'], '😀😀'],
	[{...text, format: 'email'}, ['a@b.c'], 'a@b.c'],
	[{...text, format: 'uri'}, ['mailto:a@b.c'], 'mailto:a@b.c'],
	[{...text, format: 'date'}, ['2024-02-29'], '2024-02-29'],
	[{...text, format: 'date-time'}, ['2026-01-02T03:04:05+01:00'], '2026-01-02T03:04:05+01:00'],
	[{...named, kind: 'integer'}, [' 42 '], 42],
	[{...named, kind: 'number'}, ['-1.5e3'], -1500],
	[{...named, kind: 'number', minimum: 1, maximum: 1}, ['1'], 1],
	[{...named, kind: 'boolean'}, ['false'], false],
	[{...named, kind: 'choice', options}, ['b'], 'b'],
	[{...named, kind: 'choices', options}, [], []],
	[{...named, kind: 'choices', options, maximumItems: 2}, ['a', 'b'], ['a', 'b']],
	[{...named, kind: 'json'}, ['{"a":[1]}'], {a: [1]}],
])('%j with %j is a value', (field, entry, value) => {
	expect(fieldValue(field, entry)).toEqual({kind: 'value', value});
});

test.each<readonly [AnyField, readonly string[]]>([
	[text, ['']],
	[text, [' ']],
	[{...text, minimumLength: 3}, ['😀😀']],
	[{...text, maximumLength: 1}, ['ab']],
	[{...text, format: 'email'}, ['a b@c']],
	[{...text, format: 'uri'}, ['example.com']],
	[{...text, format: 'date'}, ['2026-02-30']],
	[{...text, format: 'date'}, ['2026-1-1']],
	[{...text, format: 'date-time'}, ['2026-01-02T03:04:05']],
	[{...text, format: 'date-time'}, ['2026-01-02T25:04:05Z']],
	[{...named, kind: 'number'}, ['NaN']],
	[{...named, kind: 'number'}, ['0x10']],
	[{...named, kind: 'number'}, ['1e999']],
	[{...named, kind: 'number'}, ['9007199254740993']],
	[{...named, kind: 'number'}, ['+9007199254740993']],
	[{...named, kind: 'integer'}, ['1.5']],
	[{...named, kind: 'integer', minimum: 2}, ['1']],
	[{...named, kind: 'integer', maximum: 0}, ['1']],
	[{...named, kind: 'boolean'}, []],
	[{...named, kind: 'choice', options}, []],
	[{...named, kind: 'choices', options, minimumItems: 1}, []],
	[{...named, kind: 'choices', options, maximumItems: 1}, ['a', 'b']],
	[{...named, kind: 'json'}, ['word']],
	[{...named, kind: 'json'}, ['{"a": 1, "a": 2}']],
	[{...named, kind: 'json'}, ['[1E400]']],
])('%j with %j is a problem', (field, entry) => {
	expect(fieldValue(field, entry).kind).toBe('problem');
});

test.each<AnyField>([
	{...text, need: 'optional', minimumLength: 3},
	{...named, need: 'optional', kind: 'integer'},
	{...named, need: 'optional', kind: 'boolean'},
	{...named, need: 'optional', kind: 'choices', options, minimumItems: 1},
])('%j may be left out', field => {
	expect(fieldValue(field, [])).toEqual({kind: 'absent'});
});
