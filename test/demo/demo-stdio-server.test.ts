import {fileURLToPath} from 'node:url';
import {Client} from '@modelcontextprotocol/client';
import {StdioClientTransport} from '@modelcontextprotocol/client/stdio';
import {describe, expect, onTestFinished, test} from 'vitest';
import {findProcess} from '../../source/control/lock.ts';

const entry = fileURLToPath(new URL('../../source/demo/demo-stdio-server.ts', import.meta.url));

/** Starts the program and connects to it as any client does. */
async function connect(): Promise<{client: Client; pid: number}> {
	const transport = new StdioClientTransport({command: process.execPath, args: [entry]});
	const client = new Client({name: 'test', version: '1.0.0'});
	await client.connect(transport);
	onTestFinished(() => client.close());
	return {client, pid: transport.pid ?? 0};
}

describe('the demo tool server over stdio', () => {
	test('has one tool that reads and two that write, one of which destroys', async () => {
		const {client} = await connect();
		const {tools} = await client.listTools();
		expect(tools.map(tool => [tool.name, tool.annotations?.readOnlyHint, tool.annotations?.destructiveHint])).toEqual([
			['list_tasks', true, undefined],
			['add_task', false, false],
			['delete_task', false, true],
		]);
	});

	test('keeps what is added and loses what is deleted', async () => {
		const {client} = await connect();
		await client.callTool({name: 'add_task', arguments: {title: 'Sow the radishes', bed: 'south bed'}});
		await client.callTool({name: 'delete_task', arguments: {id: 1}});
		const {content} = await client.callTool({name: 'list_tasks', arguments: {}});
		expect(content).toEqual([
			{
				type: 'text',
				text: '#2 Thin the carrots (north bed)\n#3 Tie up the sweet peas (fence)\n#4 Sow the radishes (south bed)',
			},
		]);
	});

	test('answers that it cannot delete what is not there', async () => {
		const {client} = await connect();
		expect(await client.callTool({name: 'delete_task', arguments: {id: 99}})).toMatchObject({isError: true});
	});

	test('ends when its client goes away', async () => {
		const {client, pid} = await connect();
		await client.close();
		await expect.poll(() => findProcess(pid)).toBeUndefined();
	});
});
