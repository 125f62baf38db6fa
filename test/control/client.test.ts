import {once} from 'node:events';
import {controlProtocol} from '../../source/control/methods.ts';
import {chmodSync} from 'node:fs';
import {createServer, type Socket} from 'node:net';
import {join} from 'node:path';
import {setTimeout as sleep} from 'node:timers/promises';
import {describe, expect, onTestFinished, test} from 'vitest';
import {connectControl} from '../../source/control/client.ts';
import {systemClock} from '../../source/util/clock.ts';
import {problemCodes} from '../../source/util/problem-codes.ts';
import {Problem} from '../../source/util/problem.ts';
import {createFakeClock} from '../helpers/fake-clock.ts';
import {temporaryDirectory} from '../helpers/temporary-directory.ts';
import {neverAborted} from '../helpers/never-aborted.ts';
import {connectBare, connectTo, startControl} from './control-fixture.ts';

/** A server that answers every line with the given text. */
async function startOddGateway(
	onLine: (socket: Socket) => void,
	onConnection: (socket: Socket) => void = () => undefined,
): Promise<string> {
	const path = join(temporaryDirectory(), 'control.sock');
	const sockets = new Set<Socket>();
	const server = createServer(socket => {
		sockets.add(socket);
		socket.on('error', () => undefined);
		socket.on('data', () => onLine(socket));
		onConnection(socket);
	});
	server.listen(path);
	await once(server, 'listening');
	chmodSync(path, 0o600);
	onTestFinished(async () => {
		sockets.forEach(socket => socket.destroy());
		await new Promise(resolve => server.close(resolve));
	});
	return path;
}

const refusal = `${JSON.stringify({id: null, error: {code: 'control_busy', message: 'full'}})}\n`;

describe('a caller', () => {
	test('finds no gateway where there is no socket', async () => {
		const path = join(temporaryDirectory(), 'control.sock');
		expect(await connectControl({path, clock: systemClock})).toBeUndefined();
	});

	test('gets an error when the path cannot hold a socket', async () => {
		const path = join(temporaryDirectory(), 'x'.repeat(300));
		await expect(connectControl({path, clock: systemClock})).rejects.toMatchObject({code: 'control_failed'});
	});

	test('fails when the gateway closes the connection', async () => {
		const path = await startOddGateway(socket => socket.destroy());
		await expect((await connectTo(path)).call('reload', {}, {signal: neverAborted()})).rejects.toMatchObject({
			code: 'control_failed',
		});
	});

	test.each(['nonsense\n', '{"id":1}\n', '{"id":1,"result":{"version":7}}\n', 'x'.repeat(10 * 1024 * 1024 + 1)])(
		'refuses an answer like %.40j',
		async line => {
			const path = await startOddGateway(socket => void socket.write(line));
			await expect((await connectTo(path)).call('status', {}, {signal: neverAborted()})).rejects.toMatchObject({
				code: 'control_failed',
			});
		},
	);

	test.each(['before the first request', 'with the first request'])('learns why the gateway hung up %s', async when => {
		const hangUp = (socket: Socket) => void socket.end(refusal);
		const path = await (when === 'before the first request'
			? startOddGateway(() => undefined, hangUp)
			: startOddGateway(hangUp));
		const client = await connectTo(path);
		await sleep(20);
		const busy = {code: 'control_busy', message: 'full', remedy: problemCodes.control_busy.remedy};
		await expect(client.call('status', {}, {signal: neverAborted()})).rejects.toMatchObject(busy);
		await expect(client.call('reload', {}, {signal: neverAborted()})).rejects.toMatchObject(busy);
	});

	test('does not wait forever for a gateway that hangs', async () => {
		const path = await startOddGateway(() => undefined);
		const clock = createFakeClock();
		const client = await connectControl({path, clock});
		const call = client?.call('status', {}, {signal: neverAborted()});
		const outcome = expect(call).rejects.toMatchObject({code: 'control_failed'});
		await clock.advance(30_000);
		await outcome;
	});

	test('waits for a person without a time limit', async () => {
		const path = await startOddGateway(() => undefined);
		const clock = createFakeClock();
		const client = await connectControl({path, clock});
		void client
			?.call('mcp.call', {name: 'x', arguments: {}, approve: false}, {signal: neverAborted()})
			.catch(() => undefined);
		expect(clock.open()).toBe(0);
		client?.close();
	});

	test('does not keep a connection that could not become a console', async () => {
		const ended = Promise.withResolvers<unknown>();
		const {path} = await startControl({
			'console.open'(_, {signal}) {
				signal.addEventListener('abort', () => ended.resolve(signal.reason));
				throw new Problem('gateway_version');
			},
		});
		const client = await connectTo(path);
		await expect(client.openConsole({signal: neverAborted()})).rejects.toMatchObject({code: 'gateway_version'});
		expect(await ended.promise).toMatchObject({message: 'The caller disconnected'});
	});

	test('closes the connection when its own signal aborts', async () => {
		const path = await startOddGateway(() => undefined);
		const controller = new AbortController();
		const client = await connectTo(path);
		const call = client.call('mcp.call', {name: 'x', arguments: {}, approve: false}, {signal: controller.signal});
		controller.abort();
		await expect(call).rejects.toMatchObject({code: 'cancelled'});
	});
});

describe('following events', () => {
	test('yields each event until the gateway stops', async () => {
		const {path, server} = await startControl({
			async 'events.follow'(_params, call) {
				call.sendEvent('{"seq":1}');
				call.sendEvent('{"seq":2}');
				await new Promise(resolve => call.signal.addEventListener('abort', resolve));
				return {};
			},
		});
		const seen: unknown[] = [];
		const client = await connectTo(path);
		const follow = client.follow(
			event => {
				seen.push(event);
				if (seen.length === 2) {
					void server.close();
				}
			},
			{signal: neverAborted()},
		);
		await follow;
		expect(seen).toEqual([{seq: 1}, {seq: 2}]);
	});

	test('drops a follower that does not read', async () => {
		const ended = Promise.withResolvers<unknown>();
		const {path} = await startControl({
			async 'events.follow'(_params, call) {
				while (!call.signal.aborted) {
					call.sendEvent(`{"text":"${'x'.repeat(100_000)}"}`);
					await new Promise(resolve => setImmediate(resolve));
				}

				ended.resolve(call.signal.reason);
				return {};
			},
		});
		const {socket} = connectBare(path);
		socket.pause();
		socket.write(`{"id":1,"protocol":${controlProtocol},"method":"events.follow"}\n`);
		expect(await ended.promise).toMatchObject({code: 'cancelled'});
	});
});
