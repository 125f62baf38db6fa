import {mkdirSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {describe, expect, onTestFinished, test} from 'vitest';
import {fixtureArguments} from '../helpers/fixture-program.ts';
import {runGateway} from '../helpers/running-gateway.ts';
import {temporaryDirectory} from '../helpers/temporary-directory.ts';
import {openStopFixture, type Script, type Started, stop} from './stop-fixture.ts';

const garden = {command: process.execPath, args: fixtureArguments('mcp-plain.ts'), trust: 'untrusted'};
const asking = {command: process.execPath, args: fixtureArguments('mcp-asking.ts'), trust: 'full'};
const patience = {timeout: 20_000};
const plant = (first: boolean) =>
	first ? {tool: 'mcp__garden__append', input: {file: '/dev/null', text: 'Mow'}} : 'Planted.';
const ask = (first: boolean) => (first ? {tool: 'clarify', input: {question: 'Which?'}} : 'Asked.');
const question = {
	method: 'elicitation/create',
	params: {message: 'Which bed?', requestedSchema: {type: 'object', properties: {bed: {type: 'string'}}}},
};
const askByServer = (first: boolean) => (first ? {tool: 'mcp__asking__ask', input: question} : 'Asked.');

const runOf = ({snapshot}: Pick<Started, 'snapshot'>, prompt: string) =>
	snapshot().runs.find(run => run.prompt === prompt);
const stateOf = (running: Started, prompt: string) => {
	const run = runOf(running, prompt);
	return run && `${run.state} ${run.waitingFor}`;
};

async function openWaiting(script: Script, config: object = {}) {
	const fixture = await openStopFixture(script, {mcp_servers: {garden, asking}, ...config});
	const running = await fixture.start();
	running.gateway.openDecidingConsole();
	onTestFinished(() => stop(running, fixture));
	return {fixture, running};
}

function allow({gateway, snapshot}: Started, prompt: string): void {
	const run = runOf({snapshot}, prompt);
	const card = snapshot().approvals.find(({origin}) => origin.kind === 'run' && origin.runId === run?.runId);
	if (card) {
		const {id, argumentsHash} = card;
		gateway.send({method: 'approvals.allow', params: {id, arguments_hash: argumentsHash, scope: 'once'}});
	}
}

describe('runs that wait for a person', () => {
	const names = ['one', 'two', 'three', 'four'];

	test.each<[string, Script[string], string]>([
		['an approval', plant, 'approval'],
		['an answer', ask, 'answer'],
		['an answer to a tool server', askByServer, 'answer'],
	])('for %s do not keep others from running, and are shown as waiting', async (_what, wait, waitingFor) => {
		const {running} = await openWaiting(Object.fromEntries(names.map(name => [name, wait])), {
			metrics: {enabled: true},
		});
		await running.send('r', ...names, 'fifth');
		await expect.poll(() => stateOf(running, 'fifth'), patience).toBe('finished nothing');
		expect(names.map(name => stateOf(running, name))).toEqual(names.map(() => `running ${waitingFor}`));
		const endpoint = await running.eventWhere(event => event.type === 'endpoint.state');
		const url = endpoint.type === 'endpoint.state' ? endpoint.url : undefined;
		expect(await (await fetch(new URL('/metrics', url))).text()).toContain(
			'sluice_runs_under_way{state="working"} 0\nsluice_runs_under_way{state="waiting"} 4\nsluice_runs_under_way{state="returning"} 0\n',
		);
	});

	test('go on after the answer to a tool server', async () => {
		const {running} = await openWaiting({ask: askByServer}, {agent: {max_concurrent_runs: 1}});
		await running.send('r', 'ask', 'other');
		await expect.poll(() => stateOf(running, 'other'), patience).toBe('finished nothing');
		expect(stateOf(running, 'ask')).toBe('running answer');
		const [{id} = {id: ''}] = running.snapshot().questions;
		running.gateway.send({method: 'questions.answer', params: {id, answer: {kind: 'accept', values: {bed: 'north'}}}});
		await expect.poll(() => stateOf(running, 'ask'), patience).toBe('finished nothing');
	});

	test('go on before a queued one, once a slot is free', async () => {
		const thinking = Promise.withResolvers<string>();
		const script = {plant, think: () => thinking.promise};
		const {fixture, running} = await openWaiting(script, {agent: {max_concurrent_runs: 1}});
		await running.send('r', 'plant', 'think', 'queued');
		await expect.poll(() => stateOf(running, 'plant'), patience).toBe('running approval');
		await expect.poll(() => fixture.asked, patience).toContain('think');
		allow(running, 'plant');
		await expect.poll(() => stateOf(running, 'plant'), patience).toBe('running slot');
		expect(fixture.asked).toEqual(['plant', 'think']);
		thinking.resolve('Thought.');
		await expect.poll(() => stateOf(running, 'queued'), patience).toBe('finished nothing');
		expect(fixture.asked).toEqual(['plant', 'think', 'plant', 'queued']);
		expect(stateOf(running, 'plant')).toBe('finished nothing');
	});

	test('for the release of a hold go on before a queued one, too', async () => {
		const thinking = Promise.withResolvers<ReturnType<typeof plant>>();
		const script = {plant: (first: boolean) => (first ? thinking.promise : 'Planted.')};
		const full = {mcp_servers: {garden: {...garden, trust: 'full'}}, agent: {max_concurrent_runs: 1}};
		const {fixture, running} = await openWaiting(script, full);
		await running.send('r', 'plant', 'queued');
		await expect.poll(() => fixture.asked, patience).toEqual(['plant']);
		running.gateway.send({method: 'hold', params: {reason: 'looks odd'}});
		await running.eventWhere(event => event.type === 'hold.state' && event.held !== undefined);
		thinking.resolve(plant(true));
		await expect.poll(() => stateOf(running, 'plant'), patience).toBe('running release');
		expect(fixture.asked).toEqual(['plant']);
		const held = await running.eventWhere(event => event.type === 'hold.state' && event.held !== undefined);
		running.gateway.send({method: 'unhold', params: {hash: held.type === 'hold.state' ? (held.held?.hash ?? '') : ''}});
		await expect.poll(() => stateOf(running, 'queued'), patience).toBe('finished nothing');
		expect(fixture.asked).toEqual(['plant', 'plant', 'queued']);
	});

	test('are cancelled while they wait, and while they come back', async () => {
		const thinking = Promise.withResolvers<string>();
		const {fixture, running} = await openWaiting(
			{plant, 'plant again': plant, think: () => thinking.promise},
			{agent: {max_concurrent_runs: 1}},
		);
		await running.send('r', 'plant', 'plant again', 'think');
		await expect.poll(() => fixture.asked, patience).toContain('think');
		const cancel = (prompt: string) =>
			running.gateway.send({method: 'runs.cancel', params: {id: runOf(running, prompt)?.runId ?? ''}});
		cancel('plant');
		allow(running, 'plant again');
		await expect.poll(() => stateOf(running, 'plant again'), patience).toBe('running slot');
		cancel('plant again');
		await expect
			.poll(() => ['plant', 'plant again'].map(prompt => stateOf(running, prompt)), patience)
			.toEqual(['cancelled nothing', 'cancelled nothing']);
		thinking.resolve('Thought.');
		await expect.poll(() => stateOf(running, 'think'), patience).toBe('finished nothing');
		expect(running.events.some(event => event.type === 'tool.started')).toBe(false);
	});
});

test('a gateway has started once its endpoint listens with its token, or has failed', async () => {
	const {events} = await runGateway('gateway: {endpoint: {port: 0}}\n');
	const order = events.map(({type}) => type).filter(type => type === 'gateway.started' || type === 'endpoint.state');
	expect(order).toEqual(['endpoint.state', 'gateway.started']);
	const root = temporaryDirectory();
	// Nothing can be written there.
	mkdirSync(join(root, '.env'));
	writeFileSync(join(root, '.env', 'x'), '');
	const failed = await runGateway('gateway: {endpoint: {port: 0}}\n', root);
	const told = failed.events.filter(({type}) => type === 'gateway.started' || type === 'endpoint.state');
	expect(told).toMatchObject([{type: 'endpoint.state', state: 'failed'}, {type: 'gateway.started'}]);
});
