import {type Server} from 'node:http';
import {baseAddress, type ListenAddress, listenProblem} from './http-server.ts';

export {type ListenAddress};

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
