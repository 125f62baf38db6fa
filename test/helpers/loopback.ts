import {createServer, type IncomingMessage, type RequestListener} from 'node:http';
import {type Server} from 'node:net';
import {Server as TlsServer} from 'node:tls';
import {listenOnFreePort} from './free-port.ts';
import {onTestFinished} from './on-test-finished.ts';

/** Makes a server listen on loopback until the test ends. Returns the URL of a path on it. */
export async function listen(server: Server & {closeAllConnections?: () => void}, path = ''): Promise<string> {
	const port = await listenOnFreePort(server);
	onTestFinished(() => {
		server.close();
		server.closeAllConnections?.();
	});
	return `${server instanceof TlsServer ? 'https' : 'http'}://127.0.0.1:${port}${path}`;
}

/** Starts an HTTP server on loopback until the test ends, and records the requests that reach it. */
export async function serve(
	handle: RequestListener = (_, response) => void response.end('{}'),
): Promise<{readonly origin: string; readonly requests: readonly IncomingMessage[]}> {
	const requests: IncomingMessage[] = [];
	const server = createServer((request, response) => {
		requests.push(request);
		handle(request, response);
	});
	return {origin: await listen(server), requests};
}
