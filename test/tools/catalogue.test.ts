import {describe, expect, test} from 'vitest';
import {type Catalogue, createCatalogue} from '../../source/tools/catalogue.ts';
import {definition, offerOf, serverConfig} from './server-offers.ts';

/** Two servers whose tools end in the same names. */
const dotted = serverConfig({name: 'a.b'});
const dashed = serverConfig({name: 'a-b'});

function namesIn(catalogue: Catalogue): string[] {
	return catalogue.list().map(tool => `${tool.name} of ${tool.server}`);
}

describe('registering a server', () => {
	test('makes its tools callable by their registered names', () => {
		const catalogue = createCatalogue(() => ['files']);
		catalogue.register(serverConfig(), offerOf('read-file'));
		expect(catalogue.find('mcp__files__read_file')).toMatchObject({
			server: 'files',
			tool: 'read-file',
			kind: 'native',
			trust: 'untrusted',
			readOnly: false,
		});
	});

	test('again replaces its tools', () => {
		const catalogue = createCatalogue(() => ['files']);
		catalogue.register(serverConfig(), offerOf('old'));
		catalogue.register(serverConfig(), offerOf('new'));
		expect(namesIn(catalogue)).toEqual(['mcp__files__new of files']);
	});

	test('applies its filters', () => {
		const catalogue = createCatalogue(() => ['files']);
		const tools = {include: ['read*'], exclude: [], resources: true, prompts: true};
		catalogue.register(serverConfig({tools}), offerOf('read', 'write'));
		expect(namesIn(catalogue)).toEqual(['mcp__files__read of files']);
	});

	test('adds the utility tools that its session exposes', () => {
		const catalogue = createCatalogue(() => ['files']);
		catalogue.register(serverConfig(), {tools: [definition('read')], resources: true, prompts: false});
		expect(catalogue.list().map(tool => [tool.tool, tool.kind])).toEqual([
			['read', 'native'],
			['list_resources', 'utility'],
			['read_resource', 'utility'],
		]);
	});

	test('passes the real name and arguments on', () => {
		const catalogue = createCatalogue(() => ['files']);
		catalogue.register(serverConfig(), offerOf('read-file'));
		expect(catalogue.find('mcp__files__read_file')?.toRequest({path: '/a'})).toEqual({
			kind: 'tool',
			tool: 'read-file',
			arguments: {path: '/a'},
			readOnly: false,
		});
	});

	test.each([
		[true, true],
		[false, false],
		['true', false],
		[1, false],
		[undefined, false],
	])('takes the claim %j for read-only: %j', (readOnlyHint, readOnly) => {
		const catalogue = createCatalogue(() => ['files']);
		const annotations = {readOnlyHint} as {readOnlyHint?: boolean};
		catalogue.register(serverConfig(), {...offerOf(), tools: [definition('read', {annotations})]});
		expect(catalogue.find('mcp__files__read')?.readOnly).toBe(readOnly);
		expect(catalogue.find('mcp__files__read')?.toRequest({})).toMatchObject({readOnly});
	});

	test('refuses definitions that are nested without end, and keeps the rest', () => {
		const catalogue = createCatalogue(() => ['files']);
		let inputSchema = {};
		for (let level = 0; level < 200; level++) {
			inputSchema = {items: inputSchema};
		}

		const offer = {...offerOf(), tools: [definition('deep', {inputSchema}), definition('flat')]};
		expect(catalogue.register(serverConfig(), offer)).toMatchObject([
			{code: 'tool_unusable', level: 'warning', scope: {kind: 'server', name: 'files'}},
		]);
		expect(namesIn(catalogue)).toEqual(['mcp__files__flat of files']);
	});
});

describe('a tool group (rule 6)', () => {
	test('is there once one tool is registered', () => {
		const catalogue = createCatalogue(() => ['files']);
		catalogue.register(serverConfig(), offerOf('read', 'write'));
		expect([catalogue.groups(), catalogue.countOf('files')]).toEqual([['files'], 2]);
	});

	test('is not there when filters leave nothing', () => {
		const catalogue = createCatalogue(() => ['files']);
		const tools = {include: [], exclude: [], resources: true, prompts: true};
		catalogue.register(serverConfig({tools}), offerOf('read'));
		expect([catalogue.groups(), catalogue.countOf('files')]).toEqual([[], 0]);
	});

	test('is there when filters leave only utility tools', () => {
		const catalogue = createCatalogue(() => ['files']);
		const tools = {include: [], exclude: [], resources: true, prompts: true};
		catalogue.register(serverConfig({tools}), {...offerOf('read'), prompts: true});
		expect(catalogue.groups()).toEqual(['files']);
	});

	test('is gone with its server', () => {
		const catalogue = createCatalogue(() => ['files']);
		catalogue.register(serverConfig(), offerOf('read'));
		catalogue.unregister('files');
		expect([catalogue.groups(), catalogue.find('mcp__files__read')]).toEqual([[], undefined]);
	});
});

describe('two tools that end in one name', () => {
	const registrations = [
		['in the order of the configuration', [dotted, dashed]],
		['in the other order', [dashed, dotted]],
	] as const;

	test.each(registrations)('leave it to the first in the configuration, registered %s', (_, configs) => {
		const catalogue = createCatalogue(() => ['a.b', 'a-b']);
		for (const config of configs) {
			catalogue.register(config, offerOf('read'));
		}

		expect(namesIn(catalogue)).toEqual(['mcp__a_b__read of a.b']);
	});

	test('are named in the row of the loser', () => {
		const catalogue = createCatalogue(() => ['a.b', 'a-b']);
		catalogue.register(dotted, offerOf('read'));
		expect(catalogue.register(dashed, offerOf('read', 'write'))).toMatchObject([
			{
				code: 'tool_name_taken',
				message: '"read" is not registered, because "read" of a.b already has the name mcp__a_b__read',
				scope: {kind: 'server', name: 'a-b'},
			},
		]);
	});

	test('are named for a loser that was there before', () => {
		const catalogue = createCatalogue(() => ['a.b', 'a-b']);
		catalogue.register(dashed, offerOf('read'));
		expect(catalogue.register(dotted, offerOf('read'))).toEqual([]);
		expect(catalogue.problemsOf('a-b')).toMatchObject([{code: 'tool_name_taken'}]);
	});

	test('of one server leave it to the first that it offers', () => {
		const catalogue = createCatalogue(() => ['files']);
		const problems = catalogue.register(serverConfig(), offerOf('read-file', 'read.file'));
		expect(catalogue.list().map(tool => tool.tool)).toEqual(['read-file']);
		expect(problems).toMatchObject([{code: 'tool_name_taken'}]);
	});

	test('give it to the other when the winner goes', () => {
		const catalogue = createCatalogue(() => ['a.b', 'a-b']);
		catalogue.register(dotted, offerOf('read'));
		catalogue.register(dashed, offerOf('read'));
		catalogue.unregister('a.b');
		expect(namesIn(catalogue)).toEqual(['mcp__a_b__read of a-b']);
		expect(catalogue.problemsOf('a-b')).toEqual([]);
	});

	test('leave it to a native tool before a utility tool, of one server', () => {
		const catalogue = createCatalogue(() => ['files']);
		catalogue.register(serverConfig(), {...offerOf('list-resources'), resources: true});
		expect(catalogue.find('mcp__files__list_resources')?.kind).toBe('native');
	});

	test('leave it to a native tool before a utility tool, of an earlier server', () => {
		const catalogue = createCatalogue(() => ['a.b', 'a-b']);
		catalogue.register(dotted, {...offerOf(), resources: true});
		catalogue.register(dashed, offerOf('list_resources'));
		expect(catalogue.find('mcp__a_b__list_resources')).toMatchObject({kind: 'native', server: 'a-b'});
	});
});

test('tools are listed in the order of the configuration', () => {
	const catalogue = createCatalogue(() => ['z', 'a']);
	catalogue.register(serverConfig({name: 'a'}), offerOf('two', 'one'));
	catalogue.register(serverConfig({name: 'unknown'}), offerOf('last'));
	catalogue.register(serverConfig({name: 'z'}), offerOf('first'));
	expect(catalogue.list().map(tool => tool.tool)).toEqual(['first', 'two', 'one', 'last']);
});
