import {createServer, type RequestListener, type Server} from 'node:http';

/** A server of the demo on a free port of the loopback interface, in this process. */
export type LoopbackServer = {
	/** `http://127.0.0.1:…` */
	readonly origin: string;
	/** Ends every connection, also those in use. */
	readonly close: () => Promise<void>;
};

/** Starts listening. */
export async function startLoopbackServer(handle: RequestListener): Promise<LoopbackServer> {
	const server = createServer(handle);
	const port = await listen(server);
	return {
		origin: `http://127.0.0.1:${port}`,
		async close() {
			const closed = new Promise<void>(resolve => void server.close(() => resolve()));
			server.closeAllConnections();
			await closed;
		},
	};
}

function listen(server: Server): Promise<number> {
	return new Promise((resolve, reject) => {
		server.once('error', reject);
		server.listen(0, '127.0.0.1', () => {
			const address = server.address();
			resolve(typeof address === 'object' && address ? address.port : 0);
		});
	});
}
