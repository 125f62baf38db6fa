import {type Server} from 'node:http';
import {Problem, toProblem} from './problem.ts';

/** Where a listener is to be bound. Port 0 takes any free one. */
export type ListenAddress = {readonly host: string; readonly port: number};

/** Binds a server and answers the address it is reached at from this machine, as `http://host:port`. Rejects with `port_in_use` or `listen_failed`. */
export function listen(server: Server, {host, port}: ListenAddress): Promise<string> {
	return new Promise((resolve, reject) => {
		// Stays for good: a connection that cannot be taken later, for want of descriptors, is no reason to end the process.
		server.on('error', error => reject(listenProblem(error, {host, port})));
		// One socket: `localhost` may be two addresses.
		server.listen(port, host === 'localhost' ? '127.0.0.1' : host, () => {
			const bound = server.address();
			resolve(baseAddress(typeof bound === 'object' && bound ? {host: bound.address, port: bound.port} : {host, port}));
		});
	});
}

/** Who is bound to every address is reached at the machine's own. */
const ownAddresses: Readonly<Record<string, string>> = {'0.0.0.0': '127.0.0.1', '::': '::1'};

/** The base address of a server that is bound to an address and a port. */
export function baseAddress({host, port}: ListenAddress): string {
	const own = ownAddresses[host] ?? host;
	return `http://${own.includes(':') ? `[${own}]` : own}:${port}`;
}

function listenProblem(error: Error, {host, port}: ListenAddress): Problem {
	return 'code' in error && error.code === 'EADDRINUSE'
		? new Problem('port_in_use', {message: `Port ${port} on ${host} is taken`, cause: error})
		: toProblem(error, 'listen_failed', {message: `Cannot listen on port ${port} of ${host}`});
}
