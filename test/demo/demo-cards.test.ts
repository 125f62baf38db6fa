import {writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, onTestFinished, test} from 'vitest';
import {type DemoCallTool, startDemoClient} from '../../source/demo/demo-client.ts';
import {startMcpServer} from '../../source/demo/demo-http-server.ts';
import {createGardenServer, createTaskList} from '../../source/demo/garden-server.ts';
import {startToolService} from '../gateway/start-tool-service.ts';
import {createFakeClock} from '../helpers/fake-clock.ts';
import {neverAborted} from '../helpers/never-aborted.ts';
import {temporaryDirectory} from '../helpers/temporary-directory.ts';

const rules = [
	{
		action: 'allow',
		server: 'garden',
		tool: 'add_task',
		arguments: {bed: {in: ['south bed', 'compost', 'herb spiral']}},
		ignore: ['title'],
	},
	{action: 'ask', server: 'garden', tool: 'delete_task'},
	{action: 'deny', server: '*', tool: 'delete_all*'},
];

/** The acts of the scripted client in two minutes. */
async function scriptedWork(): Promise<ReadonlyArray<Parameters<DemoCallTool>[0]>> {
	const calls: Array<Parameters<DemoCallTool>[0]> = [];
	const clock = createFakeClock();
	const client = startDemoClient({clock, callTool: async call => void calls.push(call)});
	await clock.advance(120_000);
	await client.stop();
	return calls.filter(({name}) => name.startsWith('mcp__garden__'));
}

/** Does the work with a person who allows every card once, and answers how many there were. */
async function cardsOf(work: ReadonlyArray<Parameters<DemoCallTool>[0]>, ruleList: readonly object[]): Promise<number> {
	const tasks = createTaskList();
	const garden = await startMcpServer(
		() => createGardenServer(tasks),
		() => 'pass',
	);
	onTestFinished(garden.close);
	const home = temporaryDirectory();
	const servers = {garden: {url: garden.url, trust: 'untrusted'}};
	writeFileSync(join(home, 'config.yaml'), JSON.stringify({mcp_servers: servers, approvals: {rules: ruleList}}));
	const {callTool, approvals, context, recorded} = await startToolService(home);
	approvals.addConsole();
	context.eventBus.listen(event => {
		if (event.type === 'approval.requested') {
			const {id, argumentsHash} = event;
			approvals.answer({id, argumentsHash, verdict: {kind: 'approve', scope: 'once'}, by: 'console:1'});
		}
	});
	for (const call of work) {
		expect(await callTool(call, {signal: neverAborted()})).toMatchObject({kind: 'result'});
	}

	return recorded.ofType('approval.requested').length;
}

test('three rules leave at most half of the cards of the work of the demo', async () => {
	const work = await scriptedWork();
	const without = await cardsOf(work, []);
	const withRules = await cardsOf(work, rules);
	console.log(`${work.length} calls of the demo: ${without} cards without rules, ${withRules} with three`);
	expect(without).toBeGreaterThan(8);
	expect(withRules).toBeLessThanOrEqual(without / 2);
});
