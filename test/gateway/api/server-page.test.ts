import {mkdirSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {type JsonObject} from '../../../source/util/json-text.ts';
import {neverAborted} from '../../helpers/never-aborted.ts';
import {temporaryDirectory} from '../../helpers/temporary-directory.ts';
import {callTargets, runCall, startToolService, stdioEntry} from '../start-tool-service.ts';

/** A tool service with two servers, one of which has secrets in its entry, and what commands act on. */
async function openTargets(entry: object = {}, rules?: readonly object[]) {
	const home = temporaryDirectory();
	const env = {API_KEY: 's3cret-of-peer', LEVEL: '1'};
	const servers = {peer: {...stdioEntry('mcp-plain.ts'), env, ...entry}, other: stdioEntry('mcp-plain.ts')};
	writeFileSync(join(home, 'config.yaml'), JSON.stringify({mcp_servers: servers, ...(rules && {approvals: {rules}})}));
	const service = await startToolService(home);
	const targets = callTargets(service);
	const call = (name: string, args: JsonObject) =>
		service.callTool({name, arguments: args, origin: {kind: 'command-line'}}, {signal: neverAborted()});
	const pages = () => service.recorded.ofType('view.page');
	const lists = () => service.recorded.ofType('view.server-calls');
	return {home, service, targets, call, pages, lists};
}

test('the page of a server has its latest calls, the end of its log, its tools and its entry without secrets', async () => {
	const {service, targets, call, pages} = await openTargets({trust: 'untrusted'}, [
		{action: 'ask', tool: 'append', arguments: {text: {equals: 'x'}}},
		{action: 'ask', server: 'other', tool: 'echo'},
		{action: 'deny', tool: 'environment'},
	]);
	await call('mcp__peer__echo', {text: 'hi', token: 't0ken-of-call'});
	await call('mcp__other__echo', {text: 'of the other'});
	mkdirSync(service.context.paths.serverLogs, {recursive: true});
	const lines = Array.from({length: 100}, (_, index) => `line ${index}`).join('\n');
	writeFileSync(join(service.context.paths.serverLogs, 'peer.log'), `${lines}\nlast \u001B[2J words\n`);
	await service.tokens.count();
	await runCall({method: 'mcp.view', params: {server: 'peer'}}, targets);
	const [page] = pages();
	expect(page).toMatchObject({subject: {kind: 'server', server: 'peer'}, title: 'Server peer'});
	const [calls, log, cost, tools, entry] = page?.sections ?? [];
	expect(calls).toMatchObject({
		title: expect.stringMatching(/^Latest calls, p50 \d+ ms, p95 \d+ ms$/),
		text: expect.stringMatching(/^[\d:]{8} {2}ok \d+ ms {2}echo \{"text":"hi","token":"‹[^"]+"\}$/),
	});
	expect(log).toMatchObject({
		title: 'last lines of stderr',
		text: expect.stringMatching(/^line 61\n[^]*\nlast ␛\[2J words$/),
	});
	expect(tools).toMatchObject({text: expect.stringMatching(/^asks {2}append$/m)});
	expect(tools?.text).toMatch(/^passes {2}echo$/m);
	expect(tools?.text).toMatch(/^asks {2}append\n {4}rule rule-\w+ asks for append of any server when text is x$/m);
	expect(tools?.text).not.toContain('other');
	expect(cost).toMatchObject({
		title: expect.stringMatching(/^Its tools cost a model \d+ tokens, by o200k_base of gpt-tokenizer; by client$/u),
		text: expect.stringMatching(/^default: \d+ tokens$/u),
	});
	expect(service.recorded.ofType('server.state').at(-1)).toMatchObject({server: 'other', tokens: expect.any(Number)});
	expect(entry?.text).toContain('"LEVEL": "1"');
	expect(JSON.stringify(page)).not.toMatch(/s3cret-of-peer|t0ken-of-call|of the other/);
});

test('the page of a server names the variables of its env_file, never their values', async () => {
	const file = join(temporaryDirectory(), 'server.env');
	writeFileSync(file, 'FILE_KEY=s3cret-of-file\n', {mode: 0o600});
	const {targets, pages} = await openTargets({env_file: file});
	await runCall({method: 'mcp.view', params: {server: 'peer'}}, targets);
	expect(pages()[0]?.sections.at(-1)).toMatchObject({
		title: 'Variables from a file',
		text: 'Its `env_file` sets FILE_KEY',
	});
	expect(JSON.stringify(pages())).not.toContain('s3cret-of-file');
});

test('a server that was never called and wrote nothing has a page too', async () => {
	const {targets, pages} = await openTargets({enabled: false});
	await runCall({method: 'mcp.view', params: {server: 'peer'}}, targets);
	expect(pages()[0]?.sections.map(({title}) => title)).toEqual([
		'Latest calls',
		'Entry in config.yaml, secrets masked',
	]);
});

test('a call of the list is made once more with its own arguments, as one by hand', async () => {
	const {service, targets, call, lists} = await openTargets();
	await call('mcp__peer__echo', {text: 'first'});
	await call('mcp__other__echo', {text: 'of the other'});
	await call('mcp__peer__echo', {text: 'second'});
	await runCall({method: 'mcp.view-calls', params: {server: 'peer'}}, targets);
	const calls = lists()[0]?.calls ?? [];
	expect(calls.map(row => row.arguments)).toEqual(['{"text":"second"}', '{"text":"first"}']);
	expect(calls[1]).toMatchObject({name: 'mcp__peer__echo', tool: 'echo', end: {outcome: 'ok'}});
	const again = {method: 'calls.repeat', params: {id: calls[1]?.callId ?? ''}, requestId: 'hand-1'} as const;
	await runCall(again, targets);
	expect(service.recorded.ofType('view.call')).toMatchObject([
		{requestId: 'hand-1', name: 'mcp__peer__echo', outcome: 'ok', text: 'first'},
	]);
	expect(service.recorded.ofType('tool.finished').at(-1)).toMatchObject({
		origin: {kind: 'dashboard', by: 'console:1'},
	});
});

test('it passes the approval check again', async () => {
	const {home, service, targets, call, lists} = await openTargets({trust: 'untrusted'});
	const leave = service.addConsole();
	const answerNext = async (verdict: {kind: 'approve'; scope: 'once'} | {kind: 'deny'}, count: number) => {
		await expect.poll(() => service.recorded.ofType('approval.requested').length).toBe(count);
		const request = service.recorded.ofType('approval.requested').at(-1);
		const {id = '', argumentsHash = ''} = request ?? {};
		service.approvals.answer({id, argumentsHash, verdict, by: 'console:1'});
	};

	const first = call('mcp__peer__append', {file: join(home, 'notes'), text: 'a'});
	await answerNext({kind: 'approve', scope: 'once'}, 1);
	await first;
	await runCall({method: 'mcp.view-calls', params: {server: 'peer'}}, targets);
	const callId = lists()[0]?.calls[0]?.callId ?? '';
	const again = runCall({method: 'calls.repeat', params: {id: callId}, requestId: 'hand-1'}, targets);
	await answerNext({kind: 'deny'}, 2);
	await again;
	leave();
	expect(service.recorded.ofType('view.call')).toMatchObject([{requestId: 'hand-1', outcome: 'denied'}]);
});

test.each([
	['nobody has', 'no-such-call', 'no waiting or uncertain call has this id'],
	['has a tool that is gone', undefined, 'no longer registered'],
])('a call that %s is answered with why it is not made', async (_, callId, reason) => {
	const {service, targets, call, lists} = await openTargets();
	await call('mcp__peer__echo', {text: 'first'});
	await runCall({method: 'mcp.view-calls', params: {server: 'peer'}}, targets);
	service.catalogue.unregister('peer');
	const id = callId ?? lists()[0]?.calls[0]?.callId ?? '';
	await runCall({method: 'calls.repeat', params: {id}, requestId: 'hand-1'}, targets);
	expect(service.recorded.ofType('view.call')).toMatchObject([{requestId: 'hand-1', outcome: 'failed'}]);
	expect(service.recorded.ofType('view.call')[0]?.text.toLowerCase()).toContain(reason);
});
