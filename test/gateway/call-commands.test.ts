import {readFileSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {temporaryDirectory} from '../helpers/temporary-directory.ts';
import {callTargets, runCall, startToolService, stdioEntry, writeServers} from './start-tool-service.ts';

/** A server with resources and prompts, that reports progress. */
const bothEras = stdioEntry('mcp-both-eras.ts', 'stdio');

/** A tool service with one server, and what commands act on. */
async function openTargets(entry: object = {}) {
	const home = temporaryDirectory();
	writeServers(home, {peer: {...stdioEntry('mcp-plain.ts'), ...entry}});
	const service = await startToolService(home);
	const targets = callTargets(service);
	return {home, service, targets, recorded: service.recorded};
}

test('the tool board shows every tool, and why some cannot be called', async () => {
	const {targets, recorded} = await openTargets({
		...bothEras,
		trust: 'untrusted',
		tools: {exclude: ['die'], prompts: false},
	});
	await runCall({method: 'mcp.view-tools', params: {}}, targets);
	const rows = recorded.ofType('view.tools')[0]?.tools ?? [];
	const brief = Object.fromEntries(rows.map(({tool, state, approval}) => [tool, `${state} ${approval}`]));
	expect(brief).toMatchObject({
		echo: 'registered none',
		append: 'registered ask',
		die: 'filtered ask',
		list_resources: 'registered none',
	});
	expect(rows.find(({tool}) => tool === 'echo')?.inputSchema).toMatchObject({
		properties: {text: {type: 'string'}},
	});
});

test('a call by hand says which console asked, and answers with the id of its request', async () => {
	const {targets, recorded} = await openTargets();
	const call = {
		method: 'mcp.call',
		params: {name: 'mcp__peer__echo', arguments: {text: 'hi \u001B[2J'}, approve: false},
		requestId: 'r1',
	} as const;
	await runCall(call, targets);
	const origin = {kind: 'dashboard', by: 'console:1'};
	expect(recorded.ofType('tool.finished')).toMatchObject([{tool: 'echo', origin}]);
	expect(recorded.ofType('view.call')).toMatchObject([
		{requestId: 'r1', name: 'mcp__peer__echo', outcome: 'ok', text: 'hi ␛[2J'},
	]);
});

test('a running call shows its progress, and can be called off at its server', async () => {
	const {home, targets, recorded} = await openTargets(bothEras);
	const file = join(home, 'marks');
	const call = runCall(
		{
			method: 'mcp.call',
			params: {name: 'mcp__peer__slow', arguments: {steps: 100, ms: 30, file}, approve: false},
			requestId: 'r1',
		},
		targets,
	);
	await expect.poll(() => recorded.ofType('tool.progress').length).toBeGreaterThan(1);
	const [started] = recorded.ofType('tool.started');
	expect(recorded.ofType('tool.progress')[0]).toMatchObject({callId: started?.callId, progress: 1, total: 100});
	await runCall({method: 'calls.cancel', params: {id: started?.callId ?? ''}}, targets);
	await call;
	expect(recorded.ofType('tool.finished')).toMatchObject([
		{callId: started?.callId, outcome: 'outcome_uncertain', code: 'cancelled'},
	]);
	expect(recorded.ofType('call.uncertain')).toMatchObject([{callId: started?.callId, tool: 'slow'}]);
	await expect.poll(() => readFileSync(file, 'utf8')).toBe('cancelled');
});

test('a call whose connection was lost waits in the list of uncertain calls, and is repeated only after a fresh approval', async () => {
	const {targets, service, recorded} = await openTargets();
	const call = {
		method: 'mcp.call',
		params: {name: 'mcp__peer__die', arguments: {}, approve: false},
		requestId: 'r1',
	} as const;
	await runCall(call, targets);
	const [uncertain] = recorded.ofType('call.uncertain');
	expect(uncertain).toMatchObject({server: 'peer', tool: 'die', arguments: {}});
	const leave = service.approvals.addConsole();
	const repeat = runCall({method: 'uncertain.repeat', params: {id: uncertain?.callId ?? ''}}, targets);
	await expect
		.poll(() => service.approvals.pending())
		.toMatchObject([{tool: 'die', trust: 'full', origin: {kind: 'dashboard', by: 'console:1'}}]);
	const [card] = service.approvals.pending();
	await runCall({method: 'approvals.deny', params: {id: card?.id ?? ''}}, targets);
	await repeat;
	expect(recorded.ofType('call.resolved')).toEqual([]);
	await runCall({method: 'uncertain.resolve', params: {id: uncertain?.callId ?? '', resolution: 'not_done'}}, targets);
	expect(recorded.ofType('call.resolved')).toMatchObject([{resolution: 'not_done', by: 'console:1'}]);
	leave();
});

test('the log of a server is a page', async () => {
	const {targets, service, recorded} = await openTargets({enabled: false});
	writeFileSync(join(service.paths.serverLogs, 'peer.log'), 'cannot go on\nno \u001B[31mkey\n');
	await runCall({method: 'mcp.view-log', params: {server: 'peer'}}, targets);
	expect(recorded.ofType('view.page')).toMatchObject([
		{
			subject: {kind: 'server-log', server: 'peer'},
			sections: [{title: 'stderr', text: 'cannot go on\nno ␛[31mkey\n'}],
		},
	]);
});

test('the log of a server that wrote nothing says so', async () => {
	const {targets, recorded} = await openTargets();
	await runCall({method: 'mcp.view-log', params: {server: '../config'}}, targets);
	expect(recorded.ofType('view.page')).toMatchObject([{sections: [{text: 'The log is empty'}]}]);
});

test('a form with invalid fields is sent back with what is wrong', async () => {
	const {targets, service} = await openTargets();
	const leave = service.approvals.addConsole();
	const outcome = service.questions.ask(
		{kind: 'clarify', asker: 'run', message: '?', fields: [], origin: {kind: 'command-line'}},
		{timeoutSeconds: 60, check: () => ({kind: 'unfit', problem: 'day must match format "date"'})},
	);
	const [card] = service.questions.waiting();
	const command = {
		method: 'questions.answer',
		params: {id: card?.id ?? '', answer: {kind: 'accept', values: {}}},
	} as const;
	await expect(runCall(command, targets)).rejects.toMatchObject({
		message: expect.stringContaining('day must match'),
	});
	await runCall({...command, params: {...command.params, answer: {kind: 'decline'}}}, targets);
	expect(await outcome).toMatchObject({kind: 'declined'});
	leave();
});
