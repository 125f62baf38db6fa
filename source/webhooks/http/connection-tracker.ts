import {type IncomingMessage} from 'node:http';
import {type Socket} from 'node:net';

/** The activity of a connection: none, answering complete requests, or still receiving one. */
type ConnectionWork = 'idle' | 'answering' | 'receiving';

/** Tracks the open requests of each connection: an error after them does not cost their responses, and idle connections are closed first. */
type ConnectionTracker = {
	/** Adds a connection. Above the limit the one idle longest is closed, which may be the new one. */
	readonly open: (connection: Socket) => void;
	/** Adds a request. The returned function removes it and returns whether its response ends the connection. */
	readonly enter: (request: IncomingMessage) => () => 'keep' | 'end';
	/** Records that the connection is no longer readable, and returns its activity. */
	readonly breakOff: (connection: object) => ConnectionWork;
};

/** Creates a tracker for at most `limit` connections. Closed connections are removed automatically. */
export function createConnectionTracker(limit: number): ConnectionTracker {
	const underWay = new WeakMap<object, Set<IncomingMessage>>();
	const broken = new WeakSet();
	const present = new Set<Socket>();
	/** Connections without a request, the longest idle first. */
	const idle = new Set<Socket>();

	const closeOldest = () => {
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
			closeOldest();
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
