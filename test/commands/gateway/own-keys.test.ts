import {chmodSync, mkdirSync, symlinkSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {describe, expect, test} from 'vitest';
import {readOwnKeys} from '../../../source/commands/gateway/own-keys.ts';
import {temporaryDirectory} from '../../helpers/temporary-directory.ts';

const deploy = {key: 'J', view: 'overview', title: 'deploy', command: ['make', 'deploy', '{server}']};

function fileWith(value: unknown, mode = 0o600): string {
	const folder = temporaryDirectory();
	chmodSync(folder, 0o700);
	const path = join(folder, 'preferences.json');
	writeFileSync(path, typeof value === 'string' ? value : JSON.stringify(value));
	chmodSync(path, mode);
	return path;
}

const read = (...keys: readonly unknown[]) => readOwnKeys(fileWith({theme: 'dark', keys}));

describe('own keys', () => {
	test('are read with their views, and one without a view acts in every one', () => {
		const everywhere = {key: '€', title: ' look ', command: ['/usr/bin/true']};
		expect(read(deploy, everywhere)).toEqual({
			keys: [deploy, {key: '€', title: 'look', command: ['/usr/bin/true']}],
			faults: [],
		});
	});

	test('may be the same in two views, and twice in one the first is used', () => {
		const elsewhere = {...deploy, view: 'runs', command: ['true']};
		expect(read(deploy, elsewhere)).toEqual({keys: [deploy, elsewhere], faults: []});
		expect(read(deploy, {...elsewhere, view: undefined})).toEqual({
			keys: [deploy],
			faults: ['the key J is in preferences.json twice; the first is used'],
		});
	});

	test.each([
		['a text', 'x', 'it is not an object'],
		['an unknown view', {...deploy, view: 'toString'}, 'view is none of overview, you'],
		['no key', {...deploy, key: ''}, 'key is not one printable character'],
		['two characters', {...deploy, key: 'gg'}, 'key is not one printable character'],
		['a blank', {...deploy, key: ' '}, 'key is not one printable character'],
		['a control character', {...deploy, key: '\u0003'}, 'key is not one printable character'],
		['a key that Sluice has there', {...deploy, key: 'x'}, 'the key x is taken on a server: disable or enable'],
		['a key of every view', {...deploy, key: 'q'}, 'the key q is taken in every view: quit'],
		['a key of a page of the view', {...deploy, key: 'n', view: 'jobs'}, 'the key n is taken'],
		['a key of some view', {...deploy, key: 'h', view: undefined}, 'the key h is taken on a route'],
		['no title', {...deploy, title: ' '}, 'title is not a text of 1 to 60 characters'],
		['a long title', {...deploy, title: 'x'.repeat(61)}, 'title is not a text'],
		['a command line', {...deploy, command: 'make deploy'}, 'command is not a list of texts'],
		['no program', {...deploy, command: []}, 'command is not a list of texts'],
		['a number', {...deploy, command: ['make', 1]}, 'command is not a list of texts'],
		['an empty program', {...deploy, command: ['']}, 'the program of command is neither a name nor an absolute path'],
		[
			'a program of the working folder',
			{...deploy, command: ['./x']},
			'the program of command is neither a name nor an absolute path',
		],
		[
			'a program that a row names',
			{...deploy, command: ['{server}']},
			'the program of command is neither a name nor an absolute path',
		],
		[
			'a name within a word',
			{...deploy, command: ['a', '--name={server}']},
			'"--name={server}" is not a word of its own',
		],
		['a zero byte', {...deploy, command: ['a', 'b\0']}, 'command has more than 64 words, or a word that no'],
		['many words', {...deploy, command: Array.from({length: 65}, () => 'a')}, 'command has more than 64 words'],
	])('that are wrong (%s) are ignored with a line, and the others are used', (_, wrong, fault) => {
		expect(read(wrong, {...deploy, key: 'X'})).toEqual({
			keys: [{...deploy, key: 'X'}],
			faults: [expect.stringContaining(`keys[0] in preferences.json is ignored: ${fault}`)],
		});
	});

	test('are 100 at most', () => {
		const keys = Array.from({length: 101}, (_, index) => ({...deploy, key: String.fromCodePoint(0x4e_00 + index)}));
		expect(read(...keys)).toEqual({
			keys: keys.slice(0, 100),
			faults: ['only the first 100 keys in preferences.json are used'],
		});
	});

	test.each([
		['no file', () => join(temporaryDirectory(), 'preferences.json')],
		['a file without them', () => fileWith({theme: 'dark'}, 0o666)],
		['half a file', () => fileWith('{"keys": [')],
	])('in %s are none', (_, path) => {
		expect(readOwnKeys(path())).toEqual({keys: [], faults: []});
	});

	test.each([
		['that its group may write', 0o660],
		['that everybody may write', 0o602],
	])('of a file %s are ignored', (_, mode) => {
		expect(readOwnKeys(fileWith({keys: [deploy]}, mode))).toEqual({
			keys: [],
			faults: ['preferences.json or its folder may be written by others; its keys are ignored'],
		});
	});

	test('of a file in a folder that others may write are ignored', () => {
		const path = fileWith({keys: [deploy]});
		chmodSync(join(path, '..'), 0o777);
		expect(readOwnKeys(path).keys).toEqual([]);
		chmodSync(join(path, '..'), 0o755);
		expect(readOwnKeys(path).keys).toEqual([deploy]);
	});

	test('behind a link, or in what is no file, are ignored', () => {
		const path = join(temporaryDirectory(), 'preferences.json');
		symlinkSync(fileWith({keys: [deploy]}), path);
		expect(readOwnKeys(path)).toEqual({
			keys: [],
			faults: ['preferences.json is a symbolic link; its keys are ignored'],
		});
		const folder = join(temporaryDirectory(), 'preferences.json');
		mkdirSync(folder);
		expect(readOwnKeys(folder).faults).toEqual([expect.stringContaining('cannot be read')]);
	});

	test('that are no list are ignored', () => {
		expect(readOwnKeys(fileWith({keys: deploy})).faults).toEqual(['keys in preferences.json is not a list']);
	});
});
