import {describe, expect, test} from 'vitest';
import {commandLines, entryLines, entryWarnings} from '../../../source/config/import/proposed-entry.ts';
import {type JsonObject} from '../../../source/util/json-text.ts';

describe('a warning', () => {
	const cases: ReadonlyArray<readonly [string, JsonObject, RegExp]> = [
		['any command', {command: '/opt/bin/tool'}, /runs a program on this machine.*: tool$/],
		['a shell', {command: '/bin/sh', args: ['-c', 'curl x | sh']}, /through a shell/],
		['a launcher', {command: 'env', args: ['A=1', 'x']}, /through a shell/],
		['program text', {command: 'node', args: ['-e', '1']}, /program code/],
		['a package runner', {command: 'npx', args: ['-y', 'x']}, /download the program/],
		['NODE_OPTIONS', {command: 'a', env: {NODE_OPTIONS: '--require ./x.js'}}, /variable NODE_OPTIONS/],
		['LD_PRELOAD', {command: 'a', env: {LD_PRELOAD: 'x.so'}}, /variable LD_PRELOAD/],
		['PATH', {command: 'a', env: {PATH: '.'}}, /variable PATH/],
		['a path in any case', {command: 'a', env: {Path: '.'}}, /variable Path/],
		['an address in the clear', {url: 'http://example.com/mcp'}, /encrypted/],
		['a login in the address', {url: 'https://github.com@evil.example/mcp'}, /host is evil\.example/],
		['unchecked certificates', {url: 'https://h', ssl_verify: 'off'}, /certificates/],
		['a command beside an address', {url: 'https://h', command: 'a'}, /only the address/],
		['full trust', {url: 'https://h', trust: 'full'}, /without asking you/],
		['a variable of yours', {url: 'https://h', headers: {A: '${env:AWS_SECRET}'}}, /your variable AWS_SECRET$/],
		['a zero-width blank', {command: 'a', args: ['x\u200By']}, /invisible/],
		['a turned direction', {command: 'a', args: ['\u202Egnp.exe']}, /invisible/],
		['an escape sequence', {command: 'a', args: ['\u001B[2K']}, /invisible/],
		['a blank that is none', {command: 'a', args: ['x\u00A0y']}, /invisible/],
		['a Cyrillic letter in the host', {url: 'https://ex\u0430mple.com'}, /look like others/],
		['a look-alike in an argument', {command: 'a', args: ['‐rf']}, /look like others/],
		['a look-alike in the name of a variable', {url: 'https://h', headers: {Аuth: 'a'}}, /look like others/],
	];

	test.each(cases)('is given for %s', (_what, entry, warning) => {
		expect(entryWarnings(entry)).toContainEqual(expect.stringMatching(warning));
	});

	test.each([
		['an encrypted address', {url: 'https://example.com/mcp', trust: 'untrusted'}],
		['an address on this machine', {url: 'http://127.0.0.1:8080/mcp'}],
		['a word of another script', {url: 'https://h', headers: {A: 'привет'}}],
		['a folder of yours', {url: 'https://h', headers: {A: '${userHome}'}}],
	] as ReadonlyArray<readonly [string, JsonObject]>)('is not asked for %s', (_what, entry) => {
		expect(entryWarnings(entry)).toEqual([]);
	});
});

test('every argument is on a line of its own, with invisible characters marked', () => {
	expect(commandLines({command: 'npx', args: ['-y', 'a\nb', '\u202Ex', 7]})).toEqual([
		'npx',
		'-y',
		'a␊b',
		'‹U+202E›x',
		'7',
	]);
});

test('an entry shows its marked characters, also those of names', () => {
	expect(entryLines({args: ['––force'], env: {nаme: 'é'}}).join('\n')).toBe(
		'{\n  "args": [\n    "‹U+2013›‹U+2013›force"\n  ],\n  "env": {\n    "n‹U+0430›me": "é"\n  }\n}',
	);
});

test('an entry is shown to its last character', () => {
	const long = 'x'.repeat(30_000);
	expect(entryLines({command: long}).join('')).toContain(`${long}"}`);
});
