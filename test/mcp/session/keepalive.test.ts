import {createServer} from 'node:http';
import {describe, expect, onTestFinished, test} from 'vitest';
import {type PingOutcome, startKeepalive} from '../../../source/mcp/session/keepalive.ts';
import {Problem} from '../../../source/util/problem.ts';
import {createFakeClock} from '../../helpers/fake-clock.ts';
import {listen} from '../../helpers/loopback.ts';
import {neverAborted} from '../../helpers/never-aborted.ts';
import {
	answerJson,
	callForText,
	httpTransport,
	openConnections,
	serverConfig,
	startListening,
	stdioFixture,
} from '../fixture-servers.ts';

const gone = new Problem('server_unavailable');

/** A keepalive of 10 seconds whose pings end as a test says. */
function start(ping: (signal: AbortSignal) => Promise<PingOutcome>) {
	const clock = createFakeClock();
	const seen: string[] = [];
	let busy = false;
	const keepalive = startKeepalive({
		clock,
		seconds: 10,
		busy: () => busy,
		ping(signal) {
			seen.push('ping');
			return ping(signal);
		},
		onHealthy: () => void seen.push('proven'),
		onDead: problem => void seen.push(`dead: ${problem.message}`),
	});
	onTestFinished(keepalive.stop);
	return {
		clock,
		keepalive,
		seen,
		setBusy: (now: boolean) => {
			busy = now;
		},
	};
}

describe('the keepalive', () => {
	test('pings after each interval and not before, and a ping proves the session', async () => {
		const {clock, seen} = start(() => Promise.resolve({kind: 'alive'}));
		await clock.advance(9999);
		expect(seen).toEqual([]);
		await clock.advance(1);
		expect(seen).toEqual(['ping', 'proven']);
		await clock.advance(10_000);
		expect(seen).toEqual(['ping', 'proven', 'ping', 'proven']);
	});

	test('goes on after an answer that says nothing, which proves nothing', async () => {
		const {clock, seen} = start(() => Promise.resolve({kind: 'unknown'}));
		await clock.advance(20_000);
		expect(seen).toEqual(['ping', 'ping']);
	});

	test('ends with a dead session', async () => {
		const {clock, seen} = start(() => Promise.resolve({kind: 'dead', problem: gone}));
		await clock.advance(50_000);
		expect(seen).toEqual(['ping', `dead: ${gone.message}`]);
		expect(clock.open()).toBe(0);
	});

	test('takes a ping without an answer for a dead session', async () => {
		const {clock, seen} = start(() => new Promise(() => {}));
		await clock.advance(19_999);
		expect(seen).toEqual(['ping']);
		await clock.advance(1);
		expect(seen[1]).toMatch(/^dead: .+ within 10 s/u);
	});

	test('sends no ping while the session is in use', async () => {
		const {clock, seen, setBusy} = start(() => Promise.resolve({kind: 'alive'}));
		setBusy(true);
		await clock.advance(30_000);
		expect(seen).toEqual([]);
		setBusy(false);
		await clock.advance(10_000);
		expect(seen).toEqual(['ping', 'proven']);
	});

	test('does not end a session that was taken into use while the ping waited', async () => {
		const {clock, seen, setBusy} = start(() => new Promise(() => {}));
		await clock.advance(10_000);
		setBusy(true);
		await clock.advance(10_000);
		expect(seen).toEqual(['ping']);
	});

	test('leaves nothing behind when it is stopped, also during a ping', async () => {
		const {clock, keepalive, seen} = start(() => new Promise(() => {}));
		await clock.advance(10_000);
		keepalive.stop();
		await clock.advance(60_000);
		expect(seen).toEqual(['ping']);
		expect(clock.open()).toBe(0);
	});
});

/** A small server that counts pings, and answers them as a test says. */
async function countPings(answers: () => 'answer' | 'ignore') {
	const heard: string[] = [];
	const hear = (method: string) => {
		heard.push(method);
		return method === 'ping' ? answers() : 'answer';
	};
	const url = await listen(
		createServer((request, response) => void answerJson(request, response, {hear})),
		'/mcp',
	);
	return {url, count: (method: string) => heard.filter(one => one === method).length};
}

describe('a server', () => {
	test('over HTTP is pinged at its interval', async () => {
		const {url, count} = await countPings(() => 'answer');
		const clock = createFakeClock();
		const {connections} = openConnections([serverConfig(httpTransport(url), {keepaliveSeconds: 20})], {clock});
		await connections.settled(neverAborted());
		await clock.advance(20_000);
		await expect.poll(() => count('ping')).toBe(1);
	});

	test('whose entry has no interval is never pinged', async () => {
		const {url, count} = await countPings(() => 'answer');
		const clock = createFakeClock();
		const {connections} = openConnections([serverConfig(httpTransport(url))], {clock});
		await connections.settled(neverAborted());
		await clock.advance(3_600_000);
		expect(count('ping')).toBe(0);
	});

	test('that does not answer its ping is connected again', async () => {
		const {url, count} = await countPings(() => 'ignore');
		const clock = createFakeClock();
		const {connections, recorded} = openConnections([serverConfig(httpTransport(url), {keepaliveSeconds: 5})], {
			clock,
		});
		await connections.settled(neverAborted());
		await clock.advance(5000);
		await expect.poll(() => count('ping')).toBe(1);
		await clock.advance(5000);
		await connections.settled(neverAborted());
		expect(recorded.ofType('server.state').map(({state}) => state)).toEqual([
			'connecting',
			'connected',
			'connecting',
			'connected',
		]);
		expect(count('initialize')).toBe(2);
	});

	test('that never answers a ping is not hammered: the budget of reconnects ends', async () => {
		const {url, count} = await countPings(() => 'ignore');
		const clock = createFakeClock();
		const {connections, until} = openConnections([serverConfig(httpTransport(url), {keepaliveSeconds: 5})], {clock});
		for (let round = 1; round <= 6; round++) {
			await connections.settled(neverAborted());
			await clock.advance(5000);
			await expect.poll(() => count('ping')).toBe(round);
			await clock.advance(5000);
		}

		expect(await until(({state}) => state === 'waiting')).toMatchObject({
			reason: expect.stringContaining('keepalive ping'),
		});
	});

	test('of which a ping was answered has its budget of reconnects again', async () => {
		let answers: 'answer' | 'ignore' = 'ignore';
		const {url, count} = await countPings(() => answers);
		const clock = createFakeClock();
		const {connections} = openConnections([serverConfig(httpTransport(url), {keepaliveSeconds: 5})], {clock});
		await connections.settled(neverAborted());
		await clock.advance(5000);
		await expect.poll(() => count('ping')).toBe(1);
		await clock.advance(5000);
		await connections.settled(neverAborted());
		expect(connections.find('fixture')?.state()).toMatchObject({kind: 'connected', reconnectsLeft: 4});
		answers = 'answer';
		await clock.advance(5000);
		await expect.poll(() => connections.find('fixture')?.state()).toMatchObject({reconnectsLeft: 5});
	});

	test('whose session has expired is connected again before a call finds out', async () => {
		const {url, process: child} = await startListening('mcp-legacy.ts', 'http');
		const clock = createFakeClock();
		const {connections, recorded} = openConnections([serverConfig(httpTransport(url), {keepaliveSeconds: 5})], {
			clock,
		});
		await connections.settled(neverAborted());
		child.kill('SIGUSR2');
		await expect
			.poll(async () => {
				await clock.advance(5000);
				return recorded.ofType('server.state').filter(({state}) => state === 'connected').length;
			})
			.toBe(2);
	});

	test.each(['auto', 'stateless'] as const)('of protocol %s stays connected over stdio', async protocol => {
		const clock = createFakeClock();
		const config = serverConfig(stdioFixture('mcp-both-eras.ts', 'stdio'), {protocol, keepaliveSeconds: 5});
		const {connections} = openConnections([config], {clock});
		await connections.settled(neverAborted());
		const spent = () => connections.find('fixture')?.state();
		for (let beat = 0; beat < 3; beat++) {
			await clock.advance(5000);
			// Its server answers in turn: the ping has its answer before the call does.
			expect(await callForText(connections, 'echo', {text: 'hello'})).toBe('hello');
		}

		expect(spent()).toMatchObject({kind: 'connected', reconnectsLeft: 5});
	});
});
