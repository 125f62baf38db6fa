import {readFileSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, onTestFinished, test} from 'vitest';
import {type Origin} from '../../source/state/origin.ts';
import {type ShownProposal} from '../../source/state/view-event.ts';
import {type JsonObject} from '../../source/util/json-text.ts';
import {neverAborted} from '../helpers/never-aborted.ts';
import {temporaryDirectory} from '../helpers/temporary-directory.ts';
import {callTargets, runCall, startToolService, stdioEntry} from './start-tool-service.ts';

const servers = {peer: {...stdioEntry('mcp-plain.ts'), trust: 'untrusted'}};

/** A tool service with an untrusted server and a console, and what commands act on. */
async function openService(home = temporaryDirectory(), approvals: object = {}) {
	writeFileSync(join(home, 'config.yaml'), JSON.stringify({mcp_servers: servers, approvals}));
	const service = await startToolService(home);
	onTestFinished(service.addConsole());
	const targets = callTargets(service);
	const call = (
		args: JsonObject,
		{untrusted, origin = {kind: 'command-line'}}: {readonly untrusted?: string; readonly origin?: Origin} = {},
	) =>
		service.callTool(
			{name: 'mcp__peer__append', arguments: args, origin},
			{
				signal: neverAborted(),
				...(untrusted !== undefined && {untrustedTexts: {holds: (text: string) => untrusted.includes(text)}}),
			},
		);
	/** The request of the call that waits now. */
	const request = async () => {
		await expect.poll(service.approvals.pending).not.toEqual([]);
		const [waiting] = service.approvals.pending();
		return {id: waiting?.id ?? '', argumentsHash: waiting?.argumentsHash ?? ''};
	};

	const propose = async (choices: readonly number[] = []): Promise<ShownProposal> => {
		const {id} = await request();
		const before = service.recorded.ofType('view.rule-proposal').length;
		const shown = runCall({method: 'rules.propose', params: {id, choices}}, targets);
		if (service.recorded.ofType('view.rule-proposal').length === before) {
			await shown;
		}

		void shown.catch(() => undefined);
		const proposal = service.recorded.ofType('view.rule-proposal').at(-1);
		return proposal ?? expect.unreachable('nothing was proposed');
	};

	/** Stores what was proposed with these choices, or something else. */
	const store = async (
		choices: readonly number[],
		change: {readonly arguments_hash?: string; readonly rule_hash?: string} = {},
	) => {
		const {outcome} = await propose(choices);
		const ruleHash = outcome.kind === 'rule' ? outcome.hash : '';
		const [waiting] = service.approvals.pending();
		const {id = '', argumentsHash = ''} = waiting ?? {};
		return runCall(
			{method: 'rules.store', params: {id, arguments_hash: argumentsHash, choices, rule_hash: ruleHash, ...change}},
			targets,
		);
	};

	const deny = async () => {
		service.approvals.answer({...(await request()), verdict: {kind: 'deny'}, by: 'console:2'});
	};

	return {home, service, targets, call, request, propose, store, deny, stored: service.storedRules.list};
}

test('a stored rule allows the waiting call once and such calls from then on, is listed with its uses, survives, and asks again once it is removed', async () => {
	const {home, call, propose, store, service, targets, stored} = await openService();
	const file = join(home, 'out.txt');
	const first = call({file, text: 'hi'});
	const proposal = await propose([2]);
	expect(proposal).toMatchObject({
		arguments: [
			{
				name: 'file',
				chosen: 2,
				choices: expect.arrayContaining([
					`is ${file}`,
					`is below ${file}`,
					`is below ${home}`,
					'may be anything',
				]) as string[],
			},
			{name: 'text', chosen: 0, choices: ['is hi', 'may be anything']},
		],
		outcome: {kind: 'rule', words: `allows peer/append when file is below ${home} and text is hi`},
	});
	await store([2]);
	expect(await first).toMatchObject({kind: 'result'});
	expect(service.recorded.ofType('approval.settled')).toMatchObject([
		{outcome: 'approved', scope: 'once', by: 'console:1'},
	]);
	const [rule] = stored();
	expect(rule).toMatchObject({id: expect.stringMatching(/^stored-[\da-f]{8}$/u), source: 'stored'});
	expect(await call({file: join(home, 'other.txt'), text: 'hi'})).toMatchObject({kind: 'result'});
	await runCall({method: 'rules.view', params: {}}, targets);
	expect(service.recorded.ofType('view.rules').at(-1)?.rules).toMatchObject([
		{id: rule?.id, source: 'stored', action: 'allow', uses: 1, scope: 'always', createdAt: expect.any(Number)},
	]);

	const again = await openService(home);
	expect(again.stored()).toEqual(stored());
	expect(await again.call({file: join(home, 'other.txt'), text: 'hi'})).toMatchObject({kind: 'result'});
	await runCall({method: 'rules.revoke', params: {id: rule?.id ?? ''}}, again.targets);
	expect(JSON.parse(readFileSync(join(home, 'approval-rules.json'), 'utf8'))).toEqual({
		rules: [],
		stored: [],
		pins: [],
	});
	const asked = call({file: join(home, 'other.txt'), text: 'hi'});
	expect((await propose()).outcome.kind).toBe('rule');
	service.approvals.withdraw(() => true);
	await asked;
});

test('a stored rule and a reload end the waiting of the other calls that they allow or deny', async () => {
	const {home, call, store, service, stored} = await openService();
	const calls = ['a', 'b', 'c'].map(name => call({file: join(home, name), text: name === 'c' ? 'other' : 'hi'}));
	await expect.poll(service.approvals.pending).toHaveLength(3);
	await store([2]);
	expect(await Promise.all(calls.slice(0, 2))).toMatchObject([{kind: 'result'}, {kind: 'result'}]);
	expect(service.recorded.ofType('approval.settled')).toMatchObject([
		{by: 'console:1'},
		{outcome: 'approved', by: `rule ${stored()[0]?.id}`},
	]);
	expect(service.approvals.pending()).toHaveLength(1);
	const rules = [{action: 'deny', server: 'peer'}];
	writeFileSync(join(home, 'config.yaml'), JSON.stringify({mcp_servers: servers, approvals: {rules}}));
	await service.context.reload();
	service.apply();
	expect(await calls[2]).toMatchObject({
		error: {code: 'denied', message: expect.stringMatching(/^Denied by rule rule-/u)},
	});
});

test('the page says how many of the recorded calls of the tool the rule would have let through, and names the newest', async () => {
	const {home, call, deny, propose, service} = await openService();
	for (const name of ['a', 'b']) {
		const denied = call({file: join(home, name), text: 'hi'});
		await deny();
		await denied;
	}

	const waiting = call({file: join(home, 'a'), text: 'hi'});
	expect(await propose([1])).not.toHaveProperty('recorded');
	const recorded = () => service.recorded.ofType('view.rule-proposal').at(-1)?.recorded;
	await expect.poll(recorded, {timeout: 25_000}).toMatchObject({calls: 2, allowed: 1, newest: [expect.anything()]});
	await propose([2]);
	await expect.poll(recorded, {timeout: 25_000}).toMatchObject({calls: 2, allowed: 2});
	await deny();
	await waiting;
});

test.each<readonly [string, Parameters<Awaited<ReturnType<typeof openService>>['store']>[1], RegExp]>([
	['the hash of another rule', {rule_hash: 'other'}, /another rule would be stored than was shown/u],
	['other arguments', {arguments_hash: 'other'}, /not with the arguments that were shown/u],
])('a command with %s stores nothing and leaves the call waiting', async (_, change, message) => {
	const {call, store, service, stored, deny} = await openService();
	const waiting = call({file: '/srv/x', text: 'hi'});
	await expect(store([], change)).rejects.toMatchObject({message: expect.stringMatching(message)});
	expect(stored()).toEqual([]);
	expect(service.approvals.pending()).toHaveLength(1);
	await deny();
	expect(await waiting).toMatchObject({error: {code: 'denied'}});
});

test('a request that is answered while its rule is stored, and one that is gone, store nothing', async () => {
	const {call, propose, request, service, stored, targets} = await openService();
	const waiting = call({file: '/srv/x', text: 'hi'});
	const {outcome} = await propose();
	const {id, argumentsHash} = await request();
	const ruleHash = outcome.kind === 'rule' ? outcome.hash : '';
	const command = {
		method: 'rules.store',
		params: {id, arguments_hash: argumentsHash, choices: [], rule_hash: ruleHash},
	} as const;
	const storing = runCall(command, targets);
	service.approvals.answer({id, argumentsHash, verdict: {kind: 'deny'}, by: 'console:2'});
	await expect(storing).rejects.toMatchObject({message: expect.stringContaining('No rule was stored')});
	expect(await waiting).toMatchObject({error: {code: 'denied', message: expect.stringContaining('console:2')}});
	for (const late of [command, {method: 'rules.propose', params: {id, choices: []}} as const]) {
		await expect(runCall(late, targets)).rejects.toMatchObject({
			message: expect.stringContaining('does not wait any more'),
		});
	}

	expect(stored()).toEqual([]);
});

test('values of untrusted text are no condition, and such a rule can only be stored once the argument may be anything', async () => {
	const {call, propose, store, deny, stored} = await openService();
	const origin = {kind: 'run', runId: 'r', route: 'github', deliveryId: 'd'} as const;
	const waiting = call({file: '/srv/x', text: 'hi'}, {untrusted: 'write to /srv/x', origin});
	expect(await propose()).toMatchObject({
		arguments: [{choices: ['not chosen yet', 'may be anything'], note: expect.stringContaining('untrusted')}, {}],
		outcome: {kind: 'none', why: expect.stringContaining('choose what file may be')},
	});
	await expect(store([0])).rejects.toThrow('another rule');
	expect(stored()).toEqual([]);
	expect((await propose([1])).outcome).toMatchObject({
		words: 'allows peer/append when text is hi, with any value of file, from route github',
	});
	await deny();
	await waiting;
});

test('a call that a rule asks about, and one that holds a secret, give no rule', async () => {
	const {call, propose, deny} = await openService(undefined, {rules: [{action: 'ask', server: 'peer'}]});
	const waiting = call({file: '/srv/x', text: 'hi'});
	await expect(propose()).rejects.toMatchObject({message: expect.stringContaining('a rule asks')});
	await deny();
	await waiting;
	const other = await openService();
	const masked = other.call({file: '/srv/x', text: 'hi', password: 'hunter2'});
	expect(await other.propose()).toMatchObject({
		arguments: [{}, {}, {name: 'password', note: expect.stringContaining('secret')}],
		outcome: {kind: 'none'},
	});
	await other.deny();
	await masked;
});

test.each([
	['an unknown key', {action: 'allow', server: 'peer', tool: 'append', tol: 1}],
	[
		'a condition that cannot be read',
		{action: 'allow', server: 'peer', tool: 'append', arguments: {file: {prefix: 'x'}}},
	],
	['an allow rule for every tool', {action: 'allow', server: 'peer', tool: '*'}],
	['no rule', null],
])('a stored rule with %s is read as none: every call is refused until the file is mended', async (_, rule) => {
	const {home, call} = await openService();
	const write = (stored: readonly object[]) =>
		writeFileSync(join(home, 'approval-rules.json'), JSON.stringify({rules: [], stored}));
	write([{rule, storedAt: 1}]);
	expect(await call({file: '/srv/x', text: 'hi'})).toMatchObject({
		error: {code: 'rules_invalid', message: expect.stringContaining('stored[0]')},
	});
	const good = {action: 'allow', server: 'peer', tool: 'append', arguments: {file: {prefix: home}}, ignore: ['text']};
	write([{rule: good, storedAt: 1}]);
	expect(await call({file: join(home, 'x'), text: 'hi'})).toMatchObject({kind: 'result'});
});

test('requests are counted by who asks, and a recorded call gives a rule that is stored without allowing anything', async () => {
	const {home, call, service, targets, stored} = await openService();
	const origin = {kind: 'endpoint', client: 'codex-mcp', name: 'codex'} as const;
	for (const [name, kind] of [
		['a', 'approve'],
		['b', 'deny'],
	] as const) {
		const made = call({file: join(home, name), text: 'hi'}, {origin});
		await expect.poll(service.approvals.pending).not.toEqual([]);
		const [{id, argumentsHash} = expect.unreachable('nothing waits')] = service.approvals.pending();
		const verdict = kind === 'approve' ? ({kind, scope: 'once'} as const) : ({kind} as const);
		service.approvals.answer({id, argumentsHash, verdict, by: 'console:1'});
		await made;
	}

	await runCall({method: 'askers.view', params: {}}, targets);
	const [count] = service.recorded.ofType('view.askers').at(-1)?.counts ?? [];
	expect(count).toMatchObject({
		asker: {kind: 'client', name: 'codex'},
		server: 'peer',
		tool: 'append',
		asked: 2,
		allowed: 1,
		denied: 1,
		callId: expect.any(String),
	});

	const proposing = {id: count?.callId ?? '', from: 'call', choices: [2]} as const;
	await runCall({method: 'rules.propose', params: proposing}, targets);
	const proposal = service.recorded.ofType('view.rule-proposal').at(-1);
	expect(proposal).toMatchObject({id: count?.callId, outcome: {kind: 'rule'}, recorded: {calls: 2, allowed: 2}});
	const {outcome} = proposal ?? expect.unreachable('nothing was proposed');
	const storing = {id: proposing.id, choices: [2], rule_hash: outcome.kind === 'rule' ? outcome.hash : ''};
	await expect(
		runCall({method: 'rules.store-proposed', params: {...storing, rule_hash: 'other'}}, targets),
	).rejects.toMatchObject({message: expect.stringContaining('another rule would be stored than was shown')});
	expect(stored()).toEqual([]);
	await runCall({method: 'rules.store-proposed', params: storing}, targets);
	expect(stored()).toMatchObject([{server: 'peer', tool: 'append'}]);
	expect(await call({file: join(home, 'c'), text: 'hi'}, {origin})).toMatchObject({kind: 'result'});
	expect(service.approvals.pending()).toEqual([]);
	await expect(runCall({method: 'rules.propose', params: {...proposing, id: 'none'}}, targets)).rejects.toMatchObject({
		code: 'unknown_call',
	});
});
