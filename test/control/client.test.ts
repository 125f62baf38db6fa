import {type ProblemCode} from '../../source/util/problem-codes.ts';
import {once} from 'node:events';
import {controlProtocol} from '../../source/control/limits.ts';
import {chmodSync} from 'node:fs';
import {createServer, type Socket} from 'node:net';
import {join} from 'node:path';
import {describe, expect, onTestFinished, test} from 'vitest';
import {connectControl} from '../../source/control/client.ts';
import {systemClock} from '../../source/util/clock.ts';
import {problemCodes} from '../../source/util/problem-codes.ts';
import {type JsonObject} from '../../source/util/json-text.ts';
import {Problem} from '../../source/util/problem.ts';
import {createFakeClock} from '../helpers/fake-clock.ts';
import {temporaryDirectory} from '../helpers/temporary-directory.ts';
import {neverAborted} from '../helpers/never-aborted.ts';
import {connectBare, connectTo, noConsoles, startControl} from './control-fixture.ts';

const refuse = (code: ProblemCode) => {
	throw new Problem(code);
};

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
		const gone = Promise.withResolvers<void>();
		const hangUp = (socket: Socket) => void socket.once('close', gone.resolve).end(refusal);
		const path = await (when === 'before the first request'
			? startOddGateway(() => undefined, hangUp)
			: startOddGateway(hangUp));
		const client = await connectTo(path);
		await (when === 'before the first request' && gone.promise);
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
		const {path} = await startControl({}, {consoles: {...noConsoles, openConsole: () => refuse('gateway_version')}});
		const client = await connectTo(path);
		const options = {mode: 'deciding', terminal: 'a test', browser: 'nowhere'} as const;
		const {over, call} = await client.openConsole(options);
		expect(await over).toMatchObject({code: 'gateway_version'});
		await expect(call('status', {})).rejects.toMatchObject({code: 'control_failed'});
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
				call.noteText('{"seq":1}');
				call.noteText('{"seq":2}');
				await new Promise(resolve => call.signal.addEventListener('abort', resolve));
				return {};
			},
		});
		const seen: unknown[] = [];
		const client = await connectTo(path);
		const onNote = (event: JsonObject) => {
			seen.push(event);
			if (seen.length === 2) {
				void server.close();
			}
		};

		await client.call('events.follow', {}, {signal: neverAborted(), onNote});
		expect(seen).toEqual([{seq: 1}, {seq: 2}]);
	});

	test('drops a follower that does not read', async () => {
		const ended = Promise.withResolvers<unknown>();
		const {path} = await startControl({
			async 'events.follow'(_params, call) {
				while (!call.signal.aborted) {
					call.noteText(`{"text":"${'x'.repeat(100_000)}"}`);
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
