import {readFileSync} from 'node:fs';
import {describe, expect, onTestFinished, test} from 'vitest';
import {fixtureArguments} from '../helpers/fixture-program.ts';
import {openStopFixture, type Script, type Started, stop} from './stop-fixture.ts';

const garden = {command: process.execPath, args: fixtureArguments('mcp-plain.ts'), trust: 'untrusted'};
const patience = {timeout: 20_000};
const plant = (first: boolean) =>
	first ? {tool: 'mcp__garden__append', input: {file: '/dev/null', text: 'Mow'}} : 'Planted.';

const configured = (maxRuns: number) => ({
	mcp_servers: {garden},
	platforms: {
		webhook: {
			enabled: true,
			port: 0,
			secret: 'INSECURE_NO_AUTH',
			routes: {
				slow: {prompt: '{text}', toolsets: ['mcp-garden'], max_runs: maxRuns},
				quick: {prompt: '{text}'},
			},
		},
	},
});

const stateOf = ({snapshot}: Pick<Started, 'snapshot'>, prompt: string) => {
	const run = snapshot().runs.find(one => one.prompt === prompt);
	return run && `${run.state} ${run.waitingFor}`;
};

async function openLimited(script: Script, maxRuns: number) {
	const fixture = await openStopFixture(script, configured(maxRuns));
	const running = await fixture.start();
	running.gateway.openDecidingConsole();
	onTestFinished(() => stop(running, fixture));
	return {fixture, running};
}

describe('a route with a limit', () => {
	test('has no more runs at once, other routes go on, and the next one begins when a run is over', async () => {
		const thinking = Promise.withResolvers<string>();
		const {fixture, running} = await openLimited({think: () => thinking.promise}, 1);
		await running.send('slow', 'think', 'second');
		await running.send('quick', 'other');
		await expect.poll(() => stateOf(running, 'other'), patience).toBe('finished nothing');
		expect([stateOf(running, 'think'), stateOf(running, 'second')]).toEqual(['running nothing', undefined]);
		thinking.resolve('Thought.');
		await expect.poll(() => stateOf(running, 'second'), patience).toBe('finished nothing');
		// The first two run at the same time.
		expect([fixture.asked.slice(0, 2).toSorted(), fixture.asked.slice(2)]).toEqual([['other', 'think'], ['second']]);
	});

	test('begins another run while one waits for a person, which goes on once that one is over', async () => {
		const thinking = Promise.withResolvers<string>();
		const {fixture, running} = await openLimited({plant, think: () => thinking.promise}, 1);
		await running.send('slow', 'plant', 'think', 'third');
		await expect.poll(() => stateOf(running, 'plant'), patience).toBe('running approval');
		await expect.poll(() => fixture.asked, patience).toEqual(['plant', 'think']);
		const [{id, argumentsHash} = {id: '', argumentsHash: ''}] = running.snapshot().approvals;
		running.gateway.send({method: 'approvals.allow', params: {id, arguments_hash: argumentsHash, scope: 'once'}});
		await expect.poll(() => stateOf(running, 'plant'), patience).toBe('running slot');
		expect(fixture.asked).toEqual(['plant', 'think']);
		thinking.resolve('Thought.');
		await expect.poll(() => stateOf(running, 'third'), patience).toBe('finished nothing');
		expect(fixture.asked).toEqual(['plant', 'think', 'plant', 'third']);
		expect(stateOf(running, 'plant')).toBe('finished nothing');
	});

	test('takes another limit at a reload', async () => {
		const thinking = Promise.withResolvers<string>();
		const {fixture, running} = await openLimited(
			{think: () => thinking.promise, 'think too': () => thinking.promise},
			1,
		);
		await running.send('slow', 'think', 'think too');
		await expect.poll(() => fixture.asked, patience).toEqual(['think']);
		const before = JSON.parse(readFileSync(fixture.paths.config, 'utf8')) as object;
		running.writeConfig(JSON.stringify({...before, ...configured(2)}));
		await running.gateway.reload();
		await expect.poll(() => fixture.asked, patience).toEqual(['think', 'think too']);
		thinking.resolve('Thought.');
		await expect.poll(() => stateOf(running, 'think too'), patience).toBe('finished nothing');
	});
});
