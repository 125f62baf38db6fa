import {once} from 'node:events';
import {type AddressInfo, connect, createServer, type Server, type Socket} from 'node:net';
import {onTestFinished} from './on-test-finished.ts';
import {type JournalPlace} from '../../source/journal/open-journal.ts';

/** With these bytes the server says that no transaction is under way: what it was asked is committed. */
const idle = Buffer.from([0x5a, 0, 0, 0, 5, 0x49]);

/** The same database, reached on a way that `cut` cuts off for the gateway alone: its connections end there, and the server does not notice. */
export async function cutOffUnnoticed<Place extends Required<JournalPlace>>(
	place: Place,
): Promise<{readonly place: Place; readonly cut: () => void}> {
	const {database} = place;
	const to = new URL(database?.url ?? '');
	const clients = new Set<Socket>();
	const behind = new Set<Socket>();
	const server = createServer(client => {
		const socket = connect(Number(to.port), to.hostname);
		clients.add(client.on('error', () => undefined));
		behind.add(socket.on('error', () => undefined));
		client.on('data', bytes => socket.write(bytes));
		socket.on('data', bytes => client.write(bytes));
	});
	server.listen(0, '127.0.0.1');
	await once(server, 'listening');
	onTestFinished(() => {
		[...clients, ...behind].forEach(socket => socket.destroy());
		server.close();
	});
	return {place: reachedAt(place, server), cut: () => clients.forEach(client => client.destroy())};
}

function reachedAt<Place extends Required<JournalPlace>>(place: Place, server: Server): Place {
	const {database} = place;
	const url = new URL(database?.url ?? '');
	url.hostname = '127.0.0.1';
	url.port = String((server.address() as AddressInfo).port);
	return {...place, database: {...database, url: url.href}};
}

/** The same database, reached on a way where a connection ends behind the commit of a statement that contains these words: its answer is lost, once. */
export async function losingAnswerTo<Place extends Required<JournalPlace>>(
	place: Place,
	words: string,
): Promise<Place> {
	const {database} = place;
	const to = new URL(database?.url ?? '');
	const sockets = new Set<Socket>();
	let phase: 'waiting' | 'asked' | 'lost' = 'waiting';
	const server = createServer(client => {
		const behind = connect(Number(to.port), to.hostname);
		for (const socket of [client, behind]) {
			sockets.add(socket);
			socket.on('error', () => undefined);
			socket.on('close', () => (client.destroy(), behind.destroy()));
		}

		client.on('data', bytes => {
			phase = phase === 'waiting' && bytes.includes(words) ? 'asked' : phase;
			behind.write(bytes);
		});
		behind.on('data', bytes => {
			if (phase === 'asked' && bytes.subarray(-idle.length).equals(idle)) {
				phase = 'lost';
				client.destroy();
			} else {
				client.write(bytes);
			}
		});
	});
	server.listen(0, '127.0.0.1');
	await once(server, 'listening');
	onTestFinished(() => {
		sockets.forEach(socket => socket.destroy());
		server.close();
	});
	return reachedAt(place, server);
}
