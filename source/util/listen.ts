import {type Server} from 'node:http';
import {Problem, toProblem} from './problem.ts';

/** Where a listener is to be bound. Port 0 takes any free one. */
export type ListenAddress = {readonly host: string; readonly port: number};

/** Binds a server and answers the address it is reached at from this machine, as `http://host:port`. Rejects with `port_in_use` or `listen_failed`. */
export function listen(server: Server, {host, port}: ListenAddress): Promise<string> {
	return new Promise((resolve, reject) => {
		const onError = (error: Error) => reject(listenProblem(error, {host, port}));
		server.once('error', onError);
		// One socket: `localhost` may be two addresses.
		server.listen(port, host === 'localhost' ? '127.0.0.1' : host, () => {
			server.off('error', onError);
			resolve(reachableAt(server.address(), {host, port}));
		});
	});
}

/** A server that is bound to every address is reached at the machine's own. */
const ownAddresses: Readonly<Record<string, string>> = {'0.0.0.0': '127.0.0.1', '::': '::1'};

function reachableAt(bound: ReturnType<Server['address']>, asked: ListenAddress): string {
	const {address, port} = typeof bound === 'object' && bound ? bound : {address: asked.host, port: asked.port};
	const host = ownAddresses[address] ?? address;
	return `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
}

function listenProblem(error: Error, {host, port}: ListenAddress): Problem {
	return 'code' in error && error.code === 'EADDRINUSE'
		? new Problem('port_in_use', {message: `Port ${port} on ${host} is taken`, cause: error})
		: toProblem(error, 'listen_failed', {message: `Cannot listen on port ${port} of ${host}`});
}
