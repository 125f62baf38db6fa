/*
The client under test of the public conformance suite: `node adapter.ts ADDRESS`, with the scenario in the environment as the suite sets it.
Everything but the choice of calls is the program itself: configuration, connections, catalogue, the only way to the tools.
*/
import {mkdtempSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {createTestRuntime, openTools} from '../helpers/gateway-parts.ts';
import {followLogins, withLogins} from './follow-logins.ts';
import {callsOf} from './scenario-calls.ts';
import {serverEntry} from './server-entry.ts';

const [url = ''] = process.argv.slice(2);
const scenario = process.env['MCP_CONFORMANCE_SCENARIO'] ?? '';
const home = mkdtempSync(join(tmpdir(), 'sluice-conformance-'));
writeFileSync(join(home, 'config.yaml'), JSON.stringify({mcp_servers: {peer: serverEntry(url, process.env)}}));

const runtime = createTestRuntime(home);
const {eventBus} = runtime;
eventBus.listen(event => {
	if (event.type === 'server.state' || event.type === 'tool.finished' || event.type === 'log') {
		process.stderr.write(`${JSON.stringify(event)}\n`);
	}
});
// The document of the suite cannot be fetched; that it would be looked at first is tested elsewhere.
const {service, close} = await openTools(runtime, {checkDocument: async () => undefined});
followLogins(eventBus);
// A person who is there and takes every form as it is offered.
service.approvals.addConsole();
eventBus.listen(event => {
	if (event.type === 'question.asked') {
		service.questions.answer({id: event.id, answer: {kind: 'accept', values: {}}, by: 'adapter'});
	}
});
const signal = AbortSignal.timeout(25_000);
try {
	service.apply();
	await service.connections.settled(signal);
	await withLogins(
		service,
		async () => {
			const calls = callsOf(scenario, {
				tools: service.catalogue.list(),
				context: process.env['MCP_CONFORMANCE_CONTEXT'],
			});
			// Side by side where the scenario looks for mixed-up answers, and in any case no call waits for a failed one.
			const outcomes = await Promise.all(
				calls.map(({name, arguments: args}) =>
					service.callTool({name, arguments: args, origin: {kind: 'command-line'}}, {signal}),
				),
			);
			const lacksLogin = outcomes.some(outcome => outcome.kind === 'error' && outcome.error.needsReauth);
			return lacksLogin || service.serverStatus.list()[0]?.state === 'needs-login' ? 'login-missing' : 'done';
		},
		signal,
	);
	const [peer] = service.serverStatus.list();
	process.exitCode = peer?.state === 'connected' ? 0 : 1;
} finally {
	await close();
	rmSync(home, {recursive: true, force: true});
}
