import {once} from 'node:events';
import {type AddressInfo, connect, createServer, type Socket} from 'node:net';
import {onTestFinished} from './on-test-finished.ts';

/** A way to a database that can be away: then connections end, and new ones are closed at once. */
export async function proxiedDatabase(url: string): Promise<{
	readonly url: URL;
	readonly goAway: () => void;
	readonly comeBack: () => void;
}> {
	const to = new URL(url);
	const sockets = new Set<Socket>();
	let phase: 'there' | 'away' = 'there';
	const server = createServer(client => {
		client.on('error', () => undefined);
		if (phase === 'away') {
			client.destroy();
			return;
		}

		const behind = connect(Number(to.port), to.hostname);
		for (const [socket, other] of [
			[client, behind],
			[behind, client],
		] as const) {
			sockets.add(socket);
			socket.on('error', () => undefined);
			socket.on('close', () => {
				sockets.delete(socket);
				other.destroy();
			});
			socket.pipe(other);
		}
	});
	server.listen(0, '127.0.0.1');
	await once(server, 'listening');
	const goAway = () => {
		phase = 'away';
		sockets.forEach(socket => socket.destroy());
	};
	onTestFinished(() => {
		goAway();
		server.close();
	});
	const proxied = new URL(url);
	proxied.hostname = '127.0.0.1';
	proxied.port = String((server.address() as AddressInfo).port);
	return {
		url: proxied,
		goAway,
		comeBack() {
			phase = 'there';
		},
	};
}
