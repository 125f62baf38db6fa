import {randomUUID} from 'node:crypto';
import {type Transformer, TransformStream} from 'node:stream/web';
import {type Server, WebStandardStreamableHTTPServerTransport} from '@modelcontextprotocol/server';
import {endpointLimits} from './limits.ts';
import {rpcRefusal} from './rpc-refusal.ts';

/** Clients of the legacy era: each has its own session and server. */
export type LegacySessions = {
	/** Answers a request; its body may have been parsed already. */
	readonly fetch: (request: Request, parsedBody?: unknown) => Promise<Response>;
	/** Notifies every session that the list of tools has changed. */
	readonly toolsChanged: () => void;
	readonly close: () => Promise<void>;
};

type Session = {
	readonly server: Server;
	readonly transport: WebStandardStreamableHTTPServerTransport;
	/** The open requests and streams. */
	open: number;
};

const sessionHeader = 'mcp-session-id';

/** Creates an empty table. When it is full, a new session ends the one idle for longest, never a busy one. */
export function createLegacySessions(createServer: () => Server): LegacySessions {
	/** In order of last use. */
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

	const serve = async (session: Session, request: Request, parsedBody: unknown): Promise<Response> => {
		session.open++;
		const leave = () => void session.open--;
		try {
			return whenFinished(await session.transport.handleRequest(request, {parsedBody}), leave);
		} catch (caught) {
			leave();
			throw caught;
		}
	};

	/** The transport itself refuses anything but the handshake: it has no session yet. */
	const open = async (request: Request, parsedBody: unknown): Promise<Response> => {
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
		const response = await serve(session, request, parsedBody);
		if (transport.sessionId === undefined || !sessions.has(transport.sessionId)) {
			await server.close();
		}

		return response;
	};

	return {
		async fetch(request, parsedBody) {
			const id = request.headers.get(sessionHeader);
			if (id === null) {
				return open(request, parsedBody);
			}

			const session = sessions.get(id);
			if (!session) {
				return rpcRefusal(404, 'Session not found');
			}

			sessions.delete(id);
			sessions.set(id, session);
			return serve(session, request, parsedBody);
		},
		toolsChanged() {
			for (const {server} of sessions.values()) {
				// A client without an open stream lists the tools again when it needs them.
				server.sendToolListChanged().catch(() => undefined);
			}
		},
		async close() {
			await Promise.all([...sessions].map(([id, session]) => end(id, session)));
		},
	};
}

/** The same response; `done` is called once its body was read completely, cancelled by its reader, or absent. */
function whenFinished(response: Response, done: () => void): Response {
	if (!response.body) {
		done();
		return response;
	}

	const watch: Transformer<Uint8Array, Uint8Array> = {flush: done, cancel: done};
	return new Response(response.body.pipeThrough(new TransformStream(watch)), response);
}
