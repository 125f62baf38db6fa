import {createServer} from 'node:http';
import {type WebSocket, WebSocketServer} from 'ws';
import {describe, expect, onTestFinished, test} from 'vitest';
import {openWebSocket} from '../../source/net/web-socket.ts';
import {listen, serve} from '../helpers/loopback.ts';

/** A WebSocket to a server, and that server's end of it. */
async function open(options: {readonly limitBytes?: number} = {}) {
	const server = createServer();
	const peers: WebSocket[] = [];
	const received: string[] = [];
	new WebSocketServer({server}).on('connection', peer => {
		peers.push(peer);
		peer.on('message', data => void received.push((data as Buffer).toString()));
	});
	const {origin} = new URL(await listen(server));
	const client = await connect(origin, options);
	await expect.poll(() => peers.length).toBe(1);
	onTestFinished(() => peers.forEach(peer => peer.terminate()));
	return {...client, peer: peers[0]!, received};
}

async function connect(origin: string, {limitBytes = 1000}: {readonly limitBytes?: number} = {}) {
	const calls: string[] = [];
	const socket = await openWebSocket(new URL(origin.replace('http:', 'ws:')), {
		limitBytes,
		onText: text => void calls.push(`text ${text}`),
		onPing: () => void calls.push('ping'),
		onPong: () => void calls.push('pong'),
		onClose: () => void calls.push('close'),
	});
	onTestFinished(socket.close);
	return {socket, calls};
}

test('texts go both ways, and each side sees the pings of the other', async () => {
	const {socket, calls, peer, received} = await open();
	peer.send('héllo');
	await expect.poll(() => calls).toEqual(['text héllo']);
	socket.send('back');
	await expect.poll(() => received).toEqual(['back']);
	let pings = 0;
	peer.on('ping', () => void pings++);
	socket.ping();
	await expect.poll(() => [calls.at(-1), pings]).toEqual(['pong', 1]);
	peer.ping();
	await expect.poll(() => calls.at(-1)).toBe('ping');
});

test('pings of one socket are not those of another', async () => {
	const first = await open();
	const second = await open();
	first.socket.ping();
	await expect.poll(() => first.calls).toEqual(['pong']);
	expect(second.calls).toEqual([]);
});

describe('it ends once', () => {
	test.each<[string, (peer: WebSocket) => void]>([
		['by a message that is too long', peer => peer.send('x'.repeat(1001))],
		['by a message that is not text', peer => peer.send(Buffer.from([1]))],
		['by a close frame of the peer', peer => peer.close()],
		['by a connection that breaks', peer => peer.terminate()],
	])('%s', async (_name, act) => {
		const {calls, peer, socket} = await open();
		act(peer);
		await expect.poll(() => calls).toEqual(['close']);
		socket.close();
		socket.send('more');
		socket.ping();
		expect(calls).toEqual(['close']);
	});

	test('by itself, also where the peer reads nothing', async () => {
		const {calls, peer, socket} = await open();
		const closed = new Promise(resolve => peer.on('close', resolve));
		socket.close();
		expect(calls).toEqual(['close']);
		// The close frame, or the end of the connection when that is noticed first.
		expect([1005, 1006]).toContain(await closed);
		const silent = await open();
		silent.peer.pause();
		silent.socket.close();
		silent.peer.resume();
		await expect.poll(() => silent.peer.readyState).toBe(3);
	});

	test('where it cannot be opened: nobody listens, no WebSocket, a redirect', async () => {
		const server = createServer();
		const url = await listen(server);
		await new Promise(resolve => server.close(resolve));
		const plain = await serve();
		const elsewhere = await serve((_, response) => void response.writeHead(307, {location: plain.origin}).end());
		for (const origin of [url, plain.origin, elsewhere.origin]) {
			const {calls} = await connect(origin);
			await expect.poll(() => calls).toEqual(['close']);
		}

		expect([plain.requests.length, elsewhere.requests.length]).toEqual([1, 1]);
	});
});
