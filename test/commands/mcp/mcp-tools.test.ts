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
			'TOOL           APPROVAL  READS ONLY  DESCRIPTION',
			'mcp__a__read   none      yes         Does read',
			'mcp__b__write  ask       no          Does write',
			'',
		]);
	});
});
