import {describe, expect, onTestFinished, test} from 'vitest';
import {startRecycling} from '../../../source/mcp/session/recycling.ts';
import {type FakeClock, createFakeClock} from '../../helpers/fake-clock.ts';
import {neverAborted} from '../../helpers/never-aborted.ts';
import {callForText, openConnections, serverConfig, stdioFixture} from '../fixture-servers.ts';

function start(limits: {readonly idleSeconds?: number; readonly lifetimeSeconds?: number}) {
	const clock = createFakeClock();
	const due: string[] = [];
	let busy = false;
	const recycling = startRecycling({
		clock,
		idleSeconds: limits.idleSeconds,
		lifetimeSeconds: limits.lifetimeSeconds,
		busy: () => busy,
		onDue: reason => void due.push(reason),
	});
	onTestFinished(recycling.stop);
	return {
		clock,
		due,
		recycling,
		beginCall: () => {
			busy = true;
		},
		endCall: () => {
			busy = false;
			recycling.idle();
			recycling.used();
		},
	};
}

describe('a session is due', () => {
	test('after its idle time, once', async () => {
		const {clock, due} = start({idleSeconds: 10});
		await clock.advance(9999);
		expect(due).toEqual([]);
		await clock.advance(50_000);
		expect(due).toEqual(['idle']);
		expect(clock.open()).toBe(0);
	});

	test('not while it is used again and again', async () => {
		const {clock, due, beginCall, endCall} = start({idleSeconds: 10});
		for (let call = 0; call < 5; call++) {
			await clock.advance(9000);
			beginCall();
			endCall();
		}

		expect(due).toEqual([]);
		await clock.advance(10_000);
		expect(due).toEqual(['idle']);
	});

	test('not under a call, and a whole idle time after it', async () => {
		const {clock, due, beginCall, endCall} = start({idleSeconds: 10});
		beginCall();
		await clock.advance(60_000);
		endCall();
		await clock.advance(9999);
		expect(due).toEqual([]);
		await clock.advance(1);
		expect(due).toEqual(['idle']);
	});

	test('at its age, used or not', async () => {
		const {clock, due, beginCall, endCall} = start({lifetimeSeconds: 10});
		await clock.advance(9000);
		beginCall();
		endCall();
		expect(due).toEqual([]);
		await clock.advance(1000);
		expect(due).toEqual(['age']);
	});

	test('at its age, but not under a call: as soon as that has ended', async () => {
		const {clock, due, beginCall, endCall} = start({lifetimeSeconds: 10});
		beginCall();
		await clock.advance(60_000);
		expect(due).toEqual([]);
		endCall();
		expect(due).toEqual([]);
		await clock.advance(0);
		expect(due).toEqual(['age']);
	});

	test('at its age, but not when the next call has begun already', async () => {
		const {clock, due, beginCall, endCall} = start({lifetimeSeconds: 10});
		beginCall();
		await clock.advance(60_000);
		endCall();
		beginCall();
		await clock.advance(0);
		expect(due).toEqual([]);
	});

	test('never without limits', async () => {
		const {clock, due} = start({});
		await clock.advance(1e9);
		expect(due).toEqual([]);
	});

	test('never after it has ended', async () => {
		const {clock, due, recycling} = start({idleSeconds: 10, lifetimeSeconds: 10});
		recycling.stop();
		recycling.used();
		await clock.advance(60_000);
		expect([due, clock.open()]).toEqual([[], 0]);
	});
});

async function open(limits: {readonly idleSeconds?: number; readonly lifetimeSeconds?: number}, clock: FakeClock) {
	const config = serverConfig(stdioFixture('mcp-plain.ts'), {...limits, timeoutSeconds: 600});
	const opened = openConnections([config], {clock});
	await opened.connections.settled(neverAborted());
	const pid = () => callForText(opened.connections, 'pid', {}).then(Number);
	return {...opened, pid};
}

function isAlive(pid: number): boolean {
	try {
		return process.kill(pid, 0);
	} catch {
		return false;
	}
}

describe('a process', () => {
	test.each([
		{limits: {idleSeconds: 30}, reason: 'idle time'},
		{limits: {lifetimeSeconds: 30}, reason: 'age'},
	])('of $limits is ended, keeps its tools and row, and the next call starts another', async ({limits, reason}) => {
		const clock = createFakeClock();
		const {pid, offers, until, recorded} = await open(limits, clock);
		const first = await pid();
		const tools = recorded.ofType('server.state').at(-1)?.tools;
		await clock.advance(30_000);
		expect(await until(({state}) => state === 'lazy')).toMatchObject({tools, reason: expect.stringContaining(reason)});
		await expect.poll(() => isAlive(first)).toBe(false);
		expect(offers.get('fixture')?.tools.map(({name}) => name)).toContain('pid');
		const second = await pid();
		expect(second).not.toBe(first);
		expect(recorded.ofType('server.state').at(-1)).toMatchObject({state: 'connected'});
	});

	test('is never ended under a call', async () => {
		const clock = createFakeClock();
		const {connections, recorded} = await open({idleSeconds: 1, lifetimeSeconds: 1}, clock);
		const call = callForText(connections, 'slow', {ms: 300});
		await clock.advance(60_000);
		expect(await call).toBe('slow and steady');
		expect(recorded.ofType('server.state').at(-1)).toMatchObject({state: 'connected'});
		await clock.advance(0);
		expect(recorded.ofType('server.state').at(-1)).toMatchObject({state: 'lazy'});
	});

	test('without limits is left alone', async () => {
		const clock = createFakeClock();
		const {recorded} = await open({}, clock);
		await clock.advance(1e8);
		expect(recorded.ofType('server.state').at(-1)).toMatchObject({state: 'connected'});
	});

	test('that was ended is not started by a stop', async () => {
		const clock = createFakeClock();
		const {connections, recorded} = await open({idleSeconds: 5}, clock);
		await clock.advance(5000);
		await connections.stop();
		expect(recorded.ofType('server.state').map(({state}) => state)).toEqual([
			'connecting',
			'connected',
			'lazy',
			'stopped',
		]);
	});
});
