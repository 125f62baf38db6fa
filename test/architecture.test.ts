import {readdirSync, readFileSync} from 'node:fs';
import {join} from 'node:path';
import {fileURLToPath} from 'node:url';
import {describe, expect, test} from 'vitest';
import {
	cycles,
	dependencyViolations,
	folderViolations,
	missingOwners,
	moduleViolations,
	nameViolations,
	openViolations,
	ownerViolations,
	readTree,
	sizeViolations,
	smallFileViolations,
	toSourceFile,
	wordViolations,
} from './helpers/architecture.ts';

const files = readTree(fileURLToPath(new URL('../source', import.meta.url)));
const manifest = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as {
	readonly dependencies: object;
	readonly devDependencies: object;
};
const canaries = readTree(fileURLToPath(new URL('canary', import.meta.url)));

describe('the source', () => {
	test('no module imports what the table forbids', () => {
		expect(moduleViolations(files)).toEqual([]);
	});

	test('folders of a module import only those before them', () => {
		expect(folderViolations(files)).toEqual([]);
	});

	test('every foreign package is imported by its owner only', () => {
		expect(ownerViolations(files)).toEqual([]);
		expect(missingOwners(files)).toEqual([]);
	});

	test('dependencies of package.json are what the source imports, and nothing of it only builds or tests', () => {
		const {dependencies, devDependencies} = manifest;
		// Named before the code that uses it.
		const ahead = 'nothing in source/ imports marked';
		expect(dependencyViolations(files, Object.keys(dependencies)).filter(one => one !== ahead)).toEqual([]);
		expect(Object.keys(devDependencies).filter(name => Object.hasOwn(dependencies, name))).toEqual([]);
	});

	test('timers, environment, exit and console stay in the files that own them', () => {
		expect(wordViolations(files)).toEqual([]);
	});

	test('there is no import cycle, types included', () => {
		expect(cycles(files)).toEqual([]);
	});

	test('files and exports are named in the words of the field', () => {
		expect(nameViolations(files)).toEqual([]);
	});

	test('what opens something can be closed', () => {
		expect(openViolations(files)).toEqual([]);
	});

	test('every file that docs/architecture.md names is there', () => {
		const page = readFileSync(new URL('../docs/architecture.md', import.meta.url), 'utf8');
		const named = [...page.matchAll(/`([a-z0-9/-]+\/[a-z0-9-]+\.tsx?)`/g)].map(match => match[1] ?? '');
		const there = new Set(files.map(file => file.path));
		expect(named.length).toBeGreaterThan(50);
		expect(named.filter(path => !there.has(path) && !path.startsWith('test/'))).toEqual([]);
	});

	test('files and folders keep to the size budget', () => {
		expect(sizeViolations(files)).toEqual([]);
	});

	test('a small file that one other imports is part of that one', () => {
		expect(smallFileViolations(files)).toEqual([]);
	});
});

describe('tests that run at the same time', () => {
	const path = fileURLToPath(new URL('.', import.meta.url));
	const concurrent = readdirSync(path, {recursive: true, encoding: 'utf8'})
		.filter(name => name.endsWith('.test.ts') || name.endsWith('.test.tsx'))
		.map(name => ({name, text: readFileSync(join(path, name), 'utf8')}))
		.filter(({text}) => /\b(?:test|describe)\.concurrent\b/u.test(text));

	// Both know only the test that began last, and fail once that has ended.
	test.each([
		{use: 'no expect.poll', word: /\bexpect\.poll\(/u},
		{use: 'no onTestFinished of Vitest', word: /^import \{[^}]*\bonTestFinished\b[^}]*\} from 'vitest'/mu},
	])('use $use', ({word}) => {
		expect(concurrent.length).toBeGreaterThan(10);
		expect(concurrent.filter(({text}) => word.test(text)).map(({name}) => name)).toEqual([]);
	});
});

describe('the checks see', () => {
	test('a dashboard that imports the core', () => {
		expect(moduleViolations(canaries)).toContain('tui/window.tsx imports mcp/connection.ts');
	});

	test('a module that is not in the table', () => {
		expect(moduleViolations(canaries)).toContain('attic/box.ts: the module "attic" is not in the table');
	});

	test('a folder that imports one after it, and one that has no place in the order', () => {
		const text = toSourceFile('tui/text/span.ts', "import {body} from '../views/body.ts';\n");
		const body = toSourceFile('tui/views/body.ts', 'export const body = 1;\n');
		const odd = toSourceFile('tui/odd/box.ts', '');
		expect(folderViolations([text, body, odd])).toEqual([
			'tui/text/span.ts imports tui/views/body.ts',
			'tui/odd/box.ts: the folder "odd" is not in the order of tui/',
		]);
	});

	test('a package outside its owner', () => {
		expect(ownerViolations(canaries)).toContain('util/first.ts imports ink');
	});

	test('a package that nobody owns', () => {
		expect(ownerViolations(canaries)).toContain('util/first.ts imports left-pad, which has no owner');
	});

	test('a package that is not in dependencies, and one that is there for nothing', () => {
		const pump = toSourceFile('util/pump.ts', "import {pipe} from '@tools/pipe/metal';\nimport 'node:fs';\n");
		expect(dependencyViolations([pump], ['well'])).toEqual([
			'@tools/pipe is missing in dependencies',
			'nothing in source/ imports well',
		]);
	});

	test('an owner that is not there', () => {
		expect(missingOwners(canaries)).toContain('util/clock.ts');
	});

	test.each(['timers', 'process.env', 'process.exit', 'console'])('a stray use of %s', name => {
		expect(wordViolations(canaries)).toContain(`util/second.ts uses ${name}`);
	});

	test.each([
		["import {createServer, type Server} from 'node:http';", 'a value of node:http by import'],
		["const {METHODS} = await import('node:https');", 'a value of node:http by import'],
		["import {type FastifyReply} from 'fastify';", 'fastify at once'],
	])('%s', (text, name) => {
		expect(wordViolations([toSourceFile('net/first.ts', text)])).toEqual([`net/first.ts uses ${name}`]);
	});

	test('types of node:http and fastify that load nothing', () => {
		const text = "import {type Server, type Agent} from 'node:http';\nimport type {FastifyReply} from 'fastify';\n";
		expect(wordViolations([toSourceFile('net/first.ts', text)])).toEqual([]);
	});

	test('a cycle made of type imports alone', () => {
		expect(cycles(canaries)).toContain('util/first.ts → util/second.ts');
	});

	test('a file name that says nothing', () => {
		expect(nameViolations(canaries)).toContain('util/helpers.ts: the name says nothing');
	});

	test.each([
		['gateway/tool-wing.ts', 'export const a = 1;\n', 'gateway/tool-wing.ts has a retired word in its name'],
		['state/bus.ts', 'export type Hall = 1;\n', 'state/bus.ts exports Hall, which has a retired word in it'],
		[
			'tools/request.ts',
			'export function cardOf() {}\n',
			'tools/request.ts exports cardOf, which has a retired word in it',
		],
	])('a retired word in %s', (path, text, violation) => {
		expect(nameViolations([toSourceFile(path, text)])).toEqual([violation]);
	});

	test('a word that is retired elsewhere only', () => {
		expect(nameViolations([toSourceFile('tui/approval/card-content.ts', 'export const card = 1;\n')])).toEqual([]);
	});

	test('something opened that nobody can close', () => {
		const pure = toSourceFile('util/open-box.ts', 'export function openBox(): number {\n\treturn 1;\n}\n');
		expect(openViolations([pure])).toEqual([
			'util/open-box.ts exports openBox, which opens nothing that can be closed',
		]);
	});

	test('a file past the hard stop', () => {
		expect(sizeViolations([toSourceFile('util/long.ts', '\n'.repeat(301))])).toContain(
			'util/long.ts is longer than 300 lines',
		);
	});

	test('a folder with too many files', () => {
		const many = Array.from({length: 41}, (_, index) => toSourceFile(`util/part-${index}.ts`, ''));
		expect(sizeViolations(many)).toContain('util holds 41 files');
	});

	test('a small file that one other of its module imports', () => {
		const importer = toSourceFile(
			'util/user.ts',
			"import {a} from './a.ts';\nimport {b} from './b-state.ts';\nconst c = await import('./c.ts');\n",
		);
		const small = ['util/a.ts', 'util/b-state.ts', 'util/c.ts'].map(path => toSourceFile(path, '\n'));
		const long = toSourceFile('util/a.ts', '\n'.repeat(30));
		const another = toSourceFile('util/other.ts', "import {a} from './a.ts';\n");
		const elsewhere = toSourceFile('net/user.ts', "import {a} from '../util/a.ts';\n");
		expect(smallFileViolations([importer, ...small])).toEqual([
			'util/a.ts (1 lines) is imported by util/user.ts alone',
		]);
		expect(smallFileViolations([importer, long])).toEqual([]);
		expect(smallFileViolations([importer, ...small, another])).toEqual([]);
		expect(smallFileViolations([elsewhere, ...small])).toEqual([]);
	});
});
