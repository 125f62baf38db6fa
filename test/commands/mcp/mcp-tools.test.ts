import {type ToolJson} from '../../../source/state/json/server.ts';
import {describe, expect, test} from 'vitest';
import {runMcpTools} from '../../../source/commands/mcp/mcp-list.ts';
import {startControl} from '../../control/control-fixture.ts';
import {openContext, ownCore} from '../command-fixture.ts';

function tool(server: string, name: string): ToolJson {
	return {
		name: `mcp__${server}__${name}`,
		server,
		tool: name,
		title: null,
		description: `Does ${name}\nand more`,
		input_schema: {type: 'object'},
		read_only: name === 'read',
		approval: name === 'read' ? 'none' : 'ask',
		tokens: name === 'read' ? 40 : 1200,
		tokenizer: 'o200k_base of gpt-tokenizer',
		clients: name === 'read' ? ['default', 'laptop'] : ['default'],
	};
}

const tools = [tool('a', 'read'), tool('b', 'write')];

describe('sluice mcp tools', () => {
	test('prints what the running gateway has', async () => {
		const {path} = await startControl({'mcp.tools': () => tools});
		const {context, stdout} = openContext({controlSocket: path, flags: {json: true}});
		await runMcpTools(context, ownCore({}).open);
		expect(JSON.parse(stdout())).toEqual(tools);
	});

	test('warns of a description that programs may cut', async () => {
		const {context, stdout} = openContext();
		const long = {...tool('a', 'read'), description: 'é'.repeat(1025), tokens: null};
		await runMcpTools(context, ownCore({'mcp.tools': () => [long, {...long, description: 'x'.repeat(2048)}]}).open);
		expect(stdout().split('\n').slice(2)).toEqual([
			'  its description has 3 KB; programs may cut it at 2 KB',
			expect.stringMatching(/^mcp__a__read +none +yes +x+/u),
			'',
		]);
	});

	test('prints the tools of one server', async () => {
		const {context, stdout} = openContext({arguments: ['b'], flags: {json: true}});
		await runMcpTools(
			context,
			ownCore({'mcp.tools': ({server}) => tools.filter(tool => server === undefined || tool.server === server)}).open,
		);
		expect(JSON.parse(stdout())).toEqual([tools[1]]);
	});

	test('prints a table with the first line of each description', async () => {
		const {context, stdout} = openContext();
		await runMcpTools(
			context,
			ownCore({'mcp.tools': ({server}) => tools.filter(tool => server === undefined || tool.server === server)}).open,
		);
		expect(stdout().split('\n')).toEqual([
			'TOOL           APPROVAL  READS ONLY  TOKENS  DESCRIPTION',
			'mcp__a__read   none      yes         40      Does read',
			'mcp__b__write  ask       no          1200    Does write',
			'Their definitions cost a model 1,240 tokens, by o200k_base of gpt-tokenizer. By client: default 1,240, laptop 40',
			'',
		]);
	});
});
