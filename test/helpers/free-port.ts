import {randomInt} from 'node:crypto';
import {once} from 'node:events';
import {type AddressInfo, createServer, type Server} from 'node:net';

/** Makes a server listen on a free port of loopback, and returns the port. */
export async function listenOnFreePort(server: Server): Promise<number> {
	server.listen(0, '127.0.0.1');
	await once(server, 'listening');
	return (server.address() as AddressInfo).port;
}

/** Below the ports that systems give to connections and to servers without a port of their own. */
const [firstPort, lastPort] = [20_000, 32_000];

/** A port of loopback on which nothing listens now, and that no other test gets by chance before it is used, or used again. */
export async function freePort(): Promise<number> {
	const server = createServer();
	for (;;) {
		const port = randomInt(firstPort, lastPort);
		server.listen(port, '127.0.0.1');
		try {
			await once(server, 'listening');
		} catch {
			continue;
		}

		server.close();
		await once(server, 'close');
		return port;
	}
}
