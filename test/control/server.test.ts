import {once} from 'node:events';
import {existsSync, linkSync, statSync, writeFileSync} from 'node:fs';
import {createServer} from 'node:net';
import {join} from 'node:path';
import {Worker} from 'node:worker_threads';
import {describe, expect, onTestFinished, test} from 'vitest';
import {connectControl} from '../../source/control/client.ts';
import {controlProtocol} from '../../source/control/limits.ts';
import {openControlServer} from '../../source/control/server.ts';
import {systemClock} from '../../source/util/clock.ts';
import {problemCodes} from '../../source/util/problem-codes.ts';
import {Problem} from '../../source/util/problem.ts';
import {createFakeClock} from '../helpers/fake-clock.ts';
import {recordEvents} from '../helpers/record-events.ts';
import {temporaryDirectory} from '../helpers/temporary-directory.ts';
import {neverAborted} from '../helpers/never-aborted.ts';
import {connectBare, connectTo, noConsoles, refusingHandlers, startControl} from './control-fixture.ts';

const status = {version: '1.0.0', pid: 1, profile: 'default', webhook_url: null};

/** Looks for a file all the time, in a thread of its own, and reports its first mode. */
const firstMode = `
	const {statSync} = require('node:fs');
	const {parentPort, workerData} = require('node:worker_threads');
	parentPort.postMessage('looking');
	for (let found; !found; ) {
		found = statSync(workerData, {throwIfNoEntry: false});
		if (found) {
			parentPort.postMessage(found.mode & 0o077);
		}
	}
`;

/** Resolves with the reason as soon as the signal aborts. */
function aborted(signal: AbortSignal): Promise<unknown> {
	return new Promise(resolve => signal.addEventListener('abort', () => resolve(signal.reason)));
}

describe('the control socket', () => {
	test('answers a request', async () => {
		const {path} = await startControl({status: () => status});
		expect(await (await connectTo(path)).call('status', {}, {signal: neverAborted()})).toEqual(status);
	});

	test('belongs to its owner alone', async () => {
		const {path} = await startControl({});
		expect(statSync(path).mode & 0o777).toBe(0o600);
	});

	test('belongs to its owner alone from the first moment', async () => {
		const path = join(temporaryDirectory(), 'control.sock');
		const observer = new Worker(firstMode, {eval: true, workerData: path});
		onTestFinished(async () => void (await observer.terminate()));
		await once(observer, 'message');
		const seen = once(observer, 'message');
		const options = {
			path,
			clock: systemClock,
			publish: () => undefined,
			handlersOf: () => refusingHandlers,
			consoles: noConsoles,
		};
		const server = await openControlServer(options);
		onTestFinished(server.close);
		expect(await seen).toEqual([0]);
	});

	test('is gone after close', async () => {
		const {path, server} = await startControl({});
		await server.close();
		expect(existsSync(path)).toBe(false);
	});

	test('passes the parsed parameters to the handler', async () => {
		const {path} = await startControl({'mcp.call': params => ({result: JSON.stringify(params)})});
		const params = {name: 'mcp__a__b', arguments: {deep: [{x: 1}]}, approve: true};
		const answer = await (await connectTo(path)).call('mcp.call', params, {signal: neverAborted()});
		expect(answer).toEqual({result: JSON.stringify(params)});
	});

	test('answers several requests of one caller out of order', async () => {
		let release = (): void => undefined;
		const {path} = await startControl({
			status: () => status,
			'mcp.call': () => new Promise(resolve => (release = () => resolve({result: 'late'}))),
		});
		const client = await connectTo(path);
		const slow = client.call('mcp.call', {name: 'x', arguments: {}, approve: false}, {signal: neverAborted()});
		await client.call('status', {}, {signal: neverAborted()});
		release();
		expect(await slow).toEqual({result: 'late'});
	});

	test('answers with the code and the public text of a problem', async () => {
		const {path} = await startControl({
			reload: () => Promise.reject(new Problem('config_syntax', {message: 'line 3', detail: 'private'})),
		});
		await expect((await connectTo(path)).call('reload', {}, {signal: neverAborted()})).rejects.toMatchObject({
			code: 'config_syntax',
			message: 'line 3',
			detail: undefined,
		});
	});

	test.each([
		[undefined, problemCodes.config_syntax.remedy],
		['Repair jobs.json', 'Repair jobs.json'],
	])('the remedy of a problem reaches the caller: %s', async (own, remedy) => {
		const problem = new Problem('config_syntax', own === undefined ? {} : {remedy: own});
		const {path} = await startControl({reload: () => Promise.reject(problem)});
		await expect((await connectTo(path)).call('reload', {}, {signal: neverAborted()})).rejects.toMatchObject({remedy});
	});

	test('logs an internal error and does not show it to the caller', async () => {
		const {path, recorded} = await startControl({
			reload() {
				throw new TypeError('secret inside');
			},
		});
		const client = await connectTo(path);
		await expect(client.call('reload', {}, {signal: neverAborted()})).rejects.not.toThrow(/secret/);
		expect(recorded.ofType('log')).toMatchObject([{level: 'error', area: 'control', text: 'secret inside'}]);
	});

	test.each([
		{line: 'not json', error: 'The line is not a request'},
		{line: '[]', error: 'The line is not a request'},
		{line: '{"id":1}', error: 'The line is not a request'},
		{line: `{"id":1,"protocol":${controlProtocol},"method":"toString"}`, error: 'does not know this method'},
		{line: `{"id":1,"protocol":${controlProtocol},"method":"__proto__"}`, error: 'does not know this method'},
		{line: `{"id":1,"protocol":${controlProtocol},"method":"events.list","params":{"limit":0}}`, error: 'limit'},
		{
			line: `{"id":1,"protocol":${controlProtocol},"method":"mcp.call","params":{"name":"x","arguments":[],"approve":false}}`,
			error: 'arguments',
		},
	])('refuses $line', async ({line, error}) => {
		const {path} = await startControl({});
		const {socket, text} = connectBare(path);
		socket.write(`${line}\n`);
		await once(socket, 'data');
		expect(JSON.parse(text())).toMatchObject({error: {code: 'bad_usage', message: expect.stringContaining(error)}});
	});

	test.each(['{"n": 9007199254740993}', '{"n": 1E400}', '{"n": 1, "n": 2}', '{"__proto__": 1}'])(
		'refuses a call whose arguments would be changed: %s',
		async args => {
			const calls: unknown[] = [];
			const {path} = await startControl({
				async 'mcp.call'(params) {
					calls.push(params.arguments);
					return {result: 'done'};
				},
			});
			const {socket, text} = connectBare(path);
			const lineOf = (id: number, written: string) =>
				`{"id":${id},"protocol":${controlProtocol},"method":"mcp.call","params":{"name":"x","arguments":${written},"approve":false}}\n`;
			socket.write(lineOf(1, args));
			await once(socket, 'data');
			expect(JSON.parse(text())).toMatchObject({id: 1, error: {code: 'invalid_arguments'}});
			socket.write(lineOf(2, '{"n": 9007199254740992}'));
			await once(socket, 'data');
			expect(calls).toEqual([{n: 2 ** 53}]);
		},
	);

	test('closes a connection that sends a line of more than 10 MiB', async () => {
		const {path} = await startControl({});
		const {socket} = connectBare(path);
		socket.write(Buffer.alloc(10 * 1024 * 1024 + 1, 0x61));
		await once(socket, 'close');
		expect(await connectControl({path, clock: systemClock})).toBeDefined();
	});

	test('refuses a request past the limit of a connection', async () => {
		const {path} = await startControl({'mcp.call': (_params, {signal}) => aborted(signal).then(() => ({result: ''}))});
		const {socket, text} = connectBare(path);
		const line = (id: number) =>
			`{"id":${id},"protocol":${controlProtocol},"method":"mcp.call","params":{"name":"x","arguments":{},"approve":false}}\n`;
		socket.write(Array.from({length: 33}, (_, index) => line(index)).join(''));
		await once(socket, 'data');
		expect(JSON.parse(text())).toMatchObject({id: 32, error: {message: expect.stringContaining('Too many')}});
	});

	test('answers with an error when the result is longer than a caller reads', async () => {
		const {path} = await startControl({'mcp.call': () => ({result: 'x'.repeat(10 * 1024 * 1024)})});
		const call = (await connectTo(path)).call(
			'mcp.call',
			{name: 'x', arguments: {}, approve: false},
			{signal: neverAborted()},
		);
		await expect(call).rejects.toMatchObject({code: 'control_failed', message: 'The answer is too large'});
	});

	test('closes a connection without a request after 10 s, and none that made one', async () => {
		const clock = createFakeClock();
		const {path} = await startControl({status: () => status}, {clock});
		const [silent, halfway, speaking] = [connectBare(path), connectBare(path), connectBare(path)];
		const request = '{"id":1,"method":"status","protocol":1}\n';
		halfway.socket.write(request.slice(0, 10));
		speaking.socket.write(request);
		await expect.poll(speaking.text).toContain('"id":1');
		const closed = Promise.all([silent, halfway].map(({socket}) => once(socket, 'close')));
		await clock.advance(9999);
		expect([silent, halfway].map(({socket}) => socket.readableEnded)).toEqual([false, false]);
		await clock.advance(1);
		await closed;
		await clock.advance(100_000);
		speaking.socket.write(request.replace('1', '2'));
		await expect.poll(speaking.text).toContain('"id":2');
	});

	test('cancels the calls of a caller that goes away', async () => {
		const begun = Promise.withResolvers<AbortSignal>();
		const {path} = await startControl({
			'mcp.call'(_params, {signal}) {
				begun.resolve(signal);
				return aborted(signal).then(() => ({result: ''}));
			},
		});
		const {socket} = connectBare(path);
		socket.write(
			`{"id":1,"protocol":${controlProtocol},"method":"mcp.call","params":{"name":"x","arguments":{},"approve":false}}\n`,
		);
		const left = aborted(await begun.promise);
		socket.destroy();
		expect(await left).toMatchObject({code: 'cancelled', message: 'The caller disconnected'});
	});

	test('sends the answers of cancelled calls before it closes', async () => {
		const {path, server} = await startControl({
			'mcp.call': (_params, {signal}) =>
				aborted(signal).then(() => ({error: {code: 'cancelled', message: 'The gateway is stopping'}})),
			status: () => status,
		});
		const client = await connectTo(path);
		const call = client.call('mcp.call', {name: 'x', arguments: {}, approve: false}, {signal: neverAborted()});
		await client.call('status', {}, {signal: neverAborted()});
		await server.close();
		expect(await call).toEqual({error: {code: 'cancelled', message: 'The gateway is stopping'}});
	});

	test('replaces the socket of a gateway that died', async () => {
		const path = join(temporaryDirectory(), 'control.sock');
		// A server whose file survives: another name of the same socket stays when the first is removed.
		const dead = createServer().listen(`${path}.first`);
		await once(dead, 'listening');
		linkSync(`${path}.first`, path);
		await new Promise(resolve => dead.close(resolve));
		const server = await openControlServer({
			path,
			clock: systemClock,
			publish: recordEvents().publish,
			handlersOf: () => ({...refusingHandlers, status: () => status}),
			consoles: noConsoles,
		});
		expect(await (await connectTo(path)).call('status', {}, {signal: neverAborted()})).toEqual(status);
		await server.close();
	});

	test('does not remove a file that is not a socket', async () => {
		const path = join(temporaryDirectory(), 'control.sock');
		writeFileSync(path, 'mine');
		const opened = openControlServer({
			path,
			clock: systemClock,
			publish: recordEvents().publish,
			handlersOf: () => refusingHandlers,
			consoles: noConsoles,
		});
		await expect(opened).rejects.toMatchObject({code: 'config_unreadable'});
	});
});
