import {type IncomingMessage} from 'node:http';
import {type Socket} from 'node:net';

/** What a connection is doing: nothing, answering whole requests, or still taking one in. */
type ConnectionWork = 'idle' | 'answering' | 'receiving';

/** Knows the requests under way of each connection: an error behind them does not cost their answers, and connections without one are closed first. */
type ConnectionTracker = {
	/** Adds a connection. Above the limit the one that has been idle longest is closed; that may be the new one. */
	readonly open: (connection: Socket) => void;
	/** Adds a request. The returned function removes it and answers whether its answer ends the connection. */
	readonly enter: (request: IncomingMessage) => () => 'keep' | 'end';
	/** Notes that nothing can be read from the connection any more, and answers what it is doing. */
	readonly breakOff: (connection: object) => ConnectionWork;
};

/** Creates a tracker for at most `limit` connections. Closed connections are removed by themselves. */
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
