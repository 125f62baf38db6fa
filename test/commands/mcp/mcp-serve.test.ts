import {spawn} from 'node:child_process';
import {join} from 'node:path';
import {Client} from '@modelcontextprotocol/client';
import {StdioClientTransport} from '@modelcontextprotocol/client/stdio';
import {expect, onTestFinished, test} from 'vitest';
import {fixtureArguments} from '../../helpers/fixture-program.ts';
import {program, readState, sluiceJson, startSluice, stateDirectory} from '../../helpers/sluice.ts';

const inspector = join(import.meta.dirname, '../../../node_modules/.bin/mcp-inspector');

const home = () =>
	stateDirectory({
		mcp_servers: {
			tells: {command: process.execPath, args: fixtureArguments('mcp-plain.ts'), trust: 'untrusted'},
		},
		gateway: {endpoint: {port: 0}},
		approvals: {unattended: 'hold'},
	});

/** A client of the command, as an agent starts it. */
async function connectTo(
	directory: string,
): Promise<{readonly client: Client; readonly transport: StdioClientTransport}> {
	const args = ['--disable-warning=ExperimentalWarning', program, 'mcp', 'serve', '--home', directory];
	const transport = new StdioClientTransport({command: process.execPath, args, stderr: 'pipe'});
	const client = new Client({name: 'an agent', version: '1.0.0'});
	onTestFinished(() => client.close());
	await client.connect(transport);
	return {client, transport};
}

test('without a gateway the tools are served from a process of its own', async () => {
	const {client} = await connectTo(home());
	const result = await client.callTool({name: 'mcp__tells__echo', arguments: {text: 'hello'}});
	expect(result.content).toEqual([{type: 'text', text: 'hello'}]);
});

test('with a gateway its calls are asked about there, and an approval goes with the client', async () => {
	const directory = home();
	const gateway = startSluice({home: directory}, 'gateway', 'run');
	await gateway.waitForLine('tells connected');
	const {client} = await connectTo(directory);
	void client.callTool({name: 'mcp__tells__environment', arguments: {}}).catch(() => undefined);
	await gateway.waitForLine(/approval.*environment/);
	const waiting = await sluiceJson({home: directory}, 'approvals', 'list');
	expect(waiting).toMatchObject([{tool: 'environment', origin: {kind: 'endpoint', client: 'an agent'}}]);
	await client.close();
	await gateway.waitForLine('cancelled');
});

test('the command line of the official inspector lists and calls tools through the endpoint', async () => {
	const directory = home();
	const gateway = startSluice({home: directory}, 'gateway', 'run');
	await gateway.waitForLine('tells connected');
	const line = await gateway.waitForLine('listening at');
	const url = /http:\S+/u.exec(line)?.[0] ?? '';
	const token = /SLUICE_ENDPOINT_TOKEN=(\S+)/u.exec(readState(directory, '.env'))?.[1] ?? '';
	const inspect = (...args: readonly string[]) =>
		new Promise<string>((resolve, reject) => {
			const head = ['--cli', url, '--transport', 'http', '--header', `Authorization: Bearer ${token}`];
			const child = spawn(inspector, [...head, ...args], {stdio: ['ignore', 'pipe', 'inherit']});
			let text = '';
			child.stdout.on('data', chunk => (text += String(chunk)));
			child.on('error', reject).on('close', () => resolve(text));
		});
	const call = ['--method', 'tools/call', '--tool-name', 'mcp__tells__echo', '--tool-arg', 'text=hello'];
	const [listed, called] = await Promise.all([inspect('--method', 'tools/list'), inspect(...call)]);
	expect(listed).toContain('"mcp__tells__echo"');
	expect(JSON.parse(called)).toMatchObject({content: [{type: 'text', text: 'hello'}]});
});
