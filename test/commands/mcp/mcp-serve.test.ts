import {Client} from '@modelcontextprotocol/client';
import {StdioClientTransport} from '@modelcontextprotocol/client/stdio';
import {expect, onTestFinished, test} from 'vitest';
import {fixtureArguments} from '../../helpers/fixture-program.ts';
import {program, sluiceJson, startSluice, stateDirectory} from '../../helpers/sluice.ts';

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
