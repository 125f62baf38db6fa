import {readFileSync} from 'node:fs';
import {fileURLToPath} from 'node:url';
import {describe, expect, test} from 'vitest';
import {
	cycles,
	mapViolations,
	nameViolations,
	ownerViolations,
	readTree,
	roomViolations,
	sizeViolations,
	wordViolations,
} from './helpers/architecture.ts';

const sourceRoot = fileURLToPath(new URL('../source', import.meta.url));
const files = readTree(sourceRoot);
const canaries = readTree(fileURLToPath(new URL('canary', import.meta.url)));

describe('the house', () => {
	test('no room imports what the plan forbids', () => {
		expect(roomViolations(files)).toEqual([]);
	});

	test('every foreign package is imported by its owner only', () => {
		expect(ownerViolations(files)).toEqual([]);
	});

	test('timers, environment, exit and console stay in their homes', () => {
		expect(wordViolations(files)).toEqual([]);
	});

	test('there is no import cycle, types included', () => {
		expect(cycles(files)).toEqual([]);
	});

	test('every file is named for what it holds', () => {
		expect(nameViolations(files)).toEqual([]);
	});

	test('files keep to the size budget', () => {
		expect(sizeViolations(files)).toEqual([]);
	});

	test('the map names every file and nothing else', () => {
		expect(mapViolations(files, readFileSync(`${sourceRoot}/readme.md`, 'utf8'))).toEqual([]);
	});
});

describe('the checker sees', () => {
	test('a window that looks past the hall', () => {
		expect(roomViolations(canaries)).toContain('tui/window.tsx imports mcp/connection.ts');
	});

	test('a room that is not on the plan', () => {
		expect(roomViolations(canaries)).toContain('attic/box.ts: the room "attic" is not on the plan');
	});

	test('a package outside its owner', () => {
		expect(ownerViolations(canaries)).toContain('util/first.ts imports ink');
	});

	test('a package that nobody owns', () => {
		expect(ownerViolations(canaries)).toContain('util/first.ts imports left-pad, which has no owner');
	});

	test.each(['timers', 'process.env', 'process.exit', 'console'])('a stray use of %s', name => {
		expect(wordViolations(canaries)).toContain(`util/second.ts uses ${name}`);
	});

	test('a cycle made of type imports alone', () => {
		expect(cycles(canaries)).toContain('util/first.ts → util/second.ts');
	});

	test('a file name that says nothing', () => {
		expect(nameViolations(canaries)).toContain('util/helpers.ts');
	});

	test('a file past the hard stop', () => {
		const long = {path: 'util/long.ts', room: 'util', text: '\n'.repeat(301), ours: [], lazy: [], packages: []};
		expect(sizeViolations([long])).toContain('util/long.ts is longer than 300 lines');
	});

	test('a file that knows too many others', () => {
		const ours = Array.from({length: 9}, (_, index) => `util/part-${index}.ts`);
		const wide = {path: 'util/wide.ts', room: 'util', text: '', ours, lazy: [], packages: []};
		expect(sizeViolations([wide])).toEqual(['util/wide.ts imports 9 files of ours']);
	});

	test('a file that the map forgot, and one that it invented', () => {
		expect(mapViolations(canaries, 'only `util/ghost.ts`')).toEqual(
			expect.arrayContaining([
				'the map does not name util/first.ts',
				'the map names util/ghost.ts, which does not exist',
			]),
		);
	});

	test('a file that the map names twice', () => {
		const line = '- `util/first.ts`: first\n';
		expect(mapViolations(canaries, `${line}${line}`)).toContain('the map has more than one line for util/first.ts');
	});
});
