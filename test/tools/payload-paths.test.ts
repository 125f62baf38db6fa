import {expect, test} from 'vitest';
import {payloadPaths} from '../../source/tools/payload-paths.ts';
import {type JsonObject} from '../../source/util/json-text.ts';

const payload = '{"title":"Line one\\nLine \\"two\\"","number":4711,"labels":["urgent"],"ok":1}\nplain words';

test.each<[string, JsonObject, readonly string[]]>([
	['a text of it', {title: 'plain words', other: 'mine'}, ['title']],
	['a part of a text', {text: 'lain wor'}, ['text']],
	['a text that JSON writes with escapes', {body: 'Line one\nLine "two"'}, ['body']],
	['a number', {issue: 4711, count: 4712}, ['issue']],
	['values in lists and objects', {labels: ['mine', 'urgent'], a: {b: {c: 'urgent'}}}, ['labels.1', 'a.b.c']],
	['nothing that is shorter than three characters', {short: 'on', digit: 1, none: ''}, []],
	['names as the card shows them', {'a\u001B': 'urgent'}, ['a␛']],
	['neither names nor truth values', {urgent: 'x', ok: true, nothing: null}, []],
])('marks %s', (_what, args, paths) => {
	expect(payloadPaths(args, payload)).toEqual(paths);
});

test('marks 200 values at most', () => {
	expect(payloadPaths({list: Array<string>(300).fill('urgent')}, payload)).toHaveLength(200);
});
