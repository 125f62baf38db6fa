import {createServer} from 'node:net';

/** Whether a program can listen at an address now. */
export type PortState =
	| {readonly kind: 'free'}
	| {readonly kind: 'taken'}
	/** The address is not of this machine, or the port is reserved for others; `code` is the system's word. */
	| {readonly kind: 'refused'; readonly code: string};

/** Listens for a moment, to see whether it can be done. Port 0 is always free. */
export function portState(host: string, port: number): Promise<PortState> {
	return new Promise(resolve => {
		const server = createServer();
		server.once('error', error => {
			const code = 'code' in error ? String(error.code) : error.message;
			resolve(code === 'EADDRINUSE' ? {kind: 'taken'} : {kind: 'refused', code});
		});
		server.listen({host, port, exclusive: true}, () => server.close(() => resolve({kind: 'free'})));
	});
}
