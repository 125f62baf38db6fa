import {describe, expect, test} from 'vitest';
import {modelToolName} from '../../source/agent/run-tools.ts';
import {selectRunTools, selectTools} from '../../source/agent/toolsets.ts';
import {nativeTool} from '../../source/tools/registered-tool.ts';
import {definition, serverConfig} from '../tools/server-offers.ts';

const servers = ['files', 'git hub', 'mcp-odd'];

describe('names of toolsets', () => {
	test.each<[readonly string[], readonly string[], readonly string[]]>([
		[['web_search', 'clarify'], ['web_search', 'clarify'], []],
		[['files'], [], ['files']],
		[['mcp-files'], [], ['files']],
		[['mcp-git hub', 'files', 'mcp-files'], [], ['git hub', 'files']],
		[['mcp-odd'], [], ['mcp-odd']],
		[['mcp-mcp-odd'], [], ['mcp-odd']],
		[[], [], []],
	])('%j are these', (names, builtIns, found) => {
		const selection = selectTools(names, {servers, attended: true});
		expect([selection.builtIns, selection.servers, selection.problems]).toEqual([builtIns, found, []]);
	});

	test.each(['terminal', 'FILES', 'mcp-nobody', '__proto__', '', 'mcp-'])('%j is dropped with a warning', name => {
		const {builtIns, servers: found, problems} = selectTools([name, 'files'], {servers, attended: true});
		expect([builtIns, found]).toEqual([[], ['files']]);
		expect(problems).toMatchObject([{code: 'unknown_toolset', level: 'warning'}]);
	});

	test('only clarify is left out of unattended runs', () => {
		const {builtIns, problems} = selectTools(['web_search', 'clarify'], {servers, attended: false});
		expect([builtIns, problems]).toEqual([['web_search'], []]);
	});
});

describe('a run may call', () => {
	const config = {
		toolsets: {webhook: ['web_extract', 'files']},
		servers: [serverConfig(), serverConfig({name: 'git'})],
	};
	const list = () => config.servers.map(server => nativeTool(server, definition('read')));
	const tools = {list, isAttended: () => true};
	const namesFor = (task: Parameters<typeof selectRunTools>[0]) => {
		const {builtIns, registered} = selectRunTools(task, {config, tools});
		return [...builtIns, ...registered.map(tool => tool.name)];
	};

	test('the toolsets of its platform', () => {
		expect(namesFor({route: 'r'})).toEqual(['web_extract', 'mcp__files__read']);
	});

	test('those of its route instead, not beside them', () => {
		expect(namesFor({route: 'r', toolsets: ['git']})).toEqual(['mcp__git__read']);
		expect(namesFor({route: 'r', toolsets: []})).toEqual([]);
	});

	test.each([{route: ''}, {route: 'r', job: 'nightly'}])('everything when a person wrote its prompt: %j', task => {
		expect(namesFor(task)).toEqual([
			'web_search',
			'web_extract',
			'vision_analyze',
			'clarify',
			'mcp__files__read',
			'mcp__git__read',
		]);
	});
});

test('two long names that begin alike stay two', () => {
	const long = 'mcp__server__' + 'a'.repeat(80);
	const names = [`${long}1`, `${long}2`].map(modelToolName);
	expect(new Set(names).size).toBe(2);
	expect(names.map(name => name.length)).toEqual([64, 64]);
});

test('a name that is short enough stays as it is', () => {
	expect(modelToolName('m'.repeat(64))).toBe('m'.repeat(64));
});
