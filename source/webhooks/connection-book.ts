import {type IncomingMessage} from 'node:http';

/** What a connection is doing: nothing, answering whole requests, or still taking one in. */
export type ConnectionWork = 'idle' | 'answering' | 'receiving';

/** Knows which requests of which connection are under way, so that an error in what follows them does not cost their answers. */
export type ConnectionBook = {
	/** Enters a request. The returned function takes it out and says whether the connection ends with its answer. */
	readonly enter: (request: IncomingMessage) => () => 'keep' | 'end';
	/** Notes that nothing can be read from the connection any more, and says what it is doing. */
	readonly breakOff: (connection: object) => ConnectionWork;
};

/** Opens an empty book. Connections that are gone leave it by themselves. */
export function createConnectionBook(): ConnectionBook {
	const underWay = new WeakMap<object, Set<IncomingMessage>>();
	const broken = new WeakSet();
	return {
		enter(request) {
			const requests = underWay.get(request.socket) ?? new Set();
			underWay.set(request.socket, requests.add(request));
			return () => {
				requests.delete(request);
				return requests.size === 0 && broken.has(request.socket) ? 'end' : 'keep';
			};
		},
		breakOff(connection) {
			broken.add(connection);
			const requests = [...(underWay.get(connection) ?? [])];
			if (requests.length === 0) {
				return 'idle';
			}

			return requests.every(request => request.complete) ? 'answering' : 'receiving';
		},
	};
}
