import {type IncomingMessage} from 'node:http';
import {type Socket} from 'node:net';

/** What a connection is doing: nothing, answering whole requests, or still taking one in. */
export type ConnectionWork = 'idle' | 'answering' | 'receiving';

/** Knows which requests of which connection are under way: an error in what follows them does not cost their answers, and who has none makes room. */
export type ConnectionTracker = {
	/** Enters a connection. When it is one too many, the one that has had no request for longest is ended; that may be the new one. */
	readonly open: (connection: Socket) => void;
	/** Enters a request. The returned function takes it out and says whether the connection ends with its answer. */
	readonly enter: (request: IncomingMessage) => () => 'keep' | 'end';
	/** Notes that nothing can be read from the connection any more, and says what it is doing. */
	readonly breakOff: (connection: object) => ConnectionWork;
};

/** Opens an empty book for at most `limit` connections. Connections that are gone leave it by themselves. */
export function createConnectionTracker(limit: number): ConnectionTracker {
	const underWay = new WeakMap<object, Set<IncomingMessage>>();
	const broken = new WeakSet();
	const present = new Set<Socket>();
	/** Those without a request, the longest first. */
	const idle = new Set<Socket>();

	const makeRoom = () => {
		const [longest] = idle;
		if (present.size > limit && longest) {
			present.delete(longest);
			idle.delete(longest);
			longest.destroy();
		}
	};

	return {
		open(connection) {
			present.add(connection);
			idle.add(connection);
			connection.once('close', () => {
				present.delete(connection);
				idle.delete(connection);
			});
			makeRoom();
		},
		enter(request) {
			const {socket} = request;
			const requests = underWay.get(socket) ?? new Set();
			underWay.set(socket, requests.add(request));
			idle.delete(socket);
			return () => {
				requests.delete(request);
				if (requests.size === 0 && present.has(socket)) {
					idle.add(socket);
				}

				return requests.size === 0 && broken.has(socket) ? 'end' : 'keep';
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
