import {randomUUID} from 'node:crypto';
import {type Transformer, TransformStream} from 'node:stream/web';
import {type Server, WebStandardStreamableHTTPServerTransport} from '@modelcontextprotocol/server';
import {endpointLimits} from './limits.ts';
import {rpcRefusal} from './rpc-refusal.ts';

/** Clients of the older era: each has a session of its own with a server of its own. */
export type LegacySessions = {
	readonly fetch: (request: Request) => Promise<Response>;
	/** Notifies every session that the list of tools has changed. */
	readonly toolsChanged: () => void;
	readonly close: () => Promise<void>;
};

type Session = {
	readonly server: Server;
	readonly transport: WebStandardStreamableHTTPServerTransport;
	/** Requests and streams that are open now. */
	open: number;
};

const sessionHeader = 'mcp-session-id';

/** Opens an empty table. A new session makes the one end that was idle for longest when there are too many; a busy one never. */
export function createLegacySessions(createServer: () => Server): LegacySessions {
	/** In the order of their last use. */
	const sessions = new Map<string, Session>();

	const end = async (id: string, session: Session) => {
		sessions.delete(id);
		await session.server.close();
	};

	/** False when every session is busy. */
	const makeRoom = async (): Promise<boolean> => {
		const idle = [...sessions].find(([, session]) => session.open === 0);
		if (sessions.size >= endpointLimits.sessions && idle) {
			await end(...idle);
		}

		return sessions.size < endpointLimits.sessions;
	};

	const serve = async (session: Session, request: Request): Promise<Response> => {
		session.open++;
		const leave = () => void session.open--;
		try {
			return whenFinished(await session.transport.handleRequest(request), leave);
		} catch (caught) {
			leave();
			throw caught;
		}
	};

	/** Anything but the handshake is refused by the transport itself: it has no session yet. */
	const open = async (request: Request): Promise<Response> => {
		if (!(await makeRoom())) {
			return rpcRefusal(503, 'Too many sessions are busy');
		}

		const server = createServer();
		const transport = new WebStandardStreamableHTTPServerTransport({
			sessionIdGenerator: randomUUID,
			onsessioninitialized: id => void sessions.set(id, session),
			onsessionclosed: id => void sessions.delete(id),
			maxRequestBodySize: endpointLimits.bodyBytes,
		});
		const session: Session = {server, transport, open: 0};
		await server.connect(transport);
		const response = await serve(session, request);
		if (transport.sessionId === undefined || !sessions.has(transport.sessionId)) {
			await server.close();
		}

		return response;
	};

	return {
		async fetch(request) {
			const id = request.headers.get(sessionHeader);
			if (id === null) {
				return open(request);
			}

			const session = sessions.get(id);
			if (!session) {
				return rpcRefusal(404, 'Session not found');
			}

			sessions.delete(id);
			sessions.set(id, session);
			return serve(session, request);
		},
		toolsChanged() {
			for (const {server} of sessions.values()) {
				// A client without an open stream asks again when it wants to know.
				server.sendToolListChanged().catch(() => undefined);
			}
		},
		async close() {
			await Promise.all([...sessions].map(([id, session]) => end(id, session)));
		},
	};
}

/** The same response; `done` is called once its body was read to the end, was given up by its reader, or was never there. */
function whenFinished(response: Response, done: () => void): Response {
	if (!response.body) {
		done();
		return response;
	}

	const watch: Transformer<Uint8Array, Uint8Array> = {flush: done, cancel: done};
	return new Response(response.body.pipeThrough(new TransformStream(watch)), response);
}
