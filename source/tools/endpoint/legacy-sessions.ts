import {randomUUID} from 'node:crypto';
import {type ServerResponse} from 'node:http';
import {type Server, WebStandardStreamableHTTPServerTransport} from '@modelcontextprotocol/server';
import {isJsonObject} from '../../util/json-text.ts';
import {type ListName} from './endpoint-tools.ts';
import {endpointLimits} from './limits.ts';
import {rpcRefusal} from './rpc-refusal.ts';

/** Clients of the legacy era: each has its own session and server. */
type LegacySessions = {
	/** Answers a request whose body may have been parsed already, and cancels the calls that it cancels; its session is busy until the response is closed. */
	readonly fetch: (request: Request, response: ServerResponse, parsedBody?: unknown) => Promise<Response>;
	/** The session of that id. */
	readonly find: (id: unknown) => LegacySession | undefined;
	/** Notifies every session that a list has changed. */
	readonly listChanged: (list: ListName) => void;
	readonly close: () => Promise<void>;
};

/** One session, for the calls that its server does not see. */
export type LegacySession = {
	readonly id: string;
	/** The name from the handshake. */
	readonly clientName: () => string | undefined;
	/** The capabilities from the handshake. */
	readonly clientCapabilities: () => unknown;
	/** Adds a call, which keeps the session busy; the returned function removes it. */
	readonly enter: (id: string | number, cancel: CancelCall) => () => void;
};

/** Cancels a call for that reason. */
type CancelCall = (message: string) => void;

type Session = {
	readonly server: Server;
	readonly transport: WebStandardStreamableHTTPServerTransport;
	/** Two may have one id. */
	readonly calls: Set<{readonly id: string | number; readonly cancel: CancelCall}>;
	/** The open requests and streams. */
	open: number;
};

/** Notifies the client of one server that a list has changed. Rejects when the client cannot be reached. */
export function notifyListChanged(server: Server, list: ListName): Promise<void> {
	switch (list) {
		case 'tools':
			return server.sendToolListChanged();
		case 'resources':
			return server.sendResourceListChanged();
		case 'prompts':
			return server.sendPromptListChanged();
	}
}

const sessionHeader = 'mcp-session-id';

/** Creates an empty table. When it is full, a new session ends the one idle for longest, never a busy one. */
export function createLegacySessions(createServer: () => Server): LegacySessions {
	const table = createTable();

	/** The transport itself refuses anything but the handshake: it has no session yet. */
	const open = async (request: Request, response: ServerResponse, parsedBody: unknown): Promise<Response> => {
		if (!(await table.makeRoom())) {
			return rpcRefusal(503, 'Too many sessions are busy');
		}

		const server = createServer();
		const transport = new WebStandardStreamableHTTPServerTransport({
			sessionIdGenerator: randomUUID,
			onsessioninitialized: id => table.add(id, session),
			onsessionclosed: id => table.remove(id),
			maxRequestBodySize: endpointLimits.bodyBytes,
		});
		const session: Session = {server, transport, calls: new Set(), open: 0};
		await server.connect(transport);
		keepBusy(session, response);
		const answer = await transport.handleRequest(request, {parsedBody});
		if (transport.sessionId === undefined || !table.use(transport.sessionId)) {
			await server.close();
		}

		return answer;
	};

	return {
		async fetch(request, response, parsedBody) {
			const id = request.headers.get(sessionHeader);
			if (id === null) {
				return open(request, response, parsedBody);
			}

			const session = table.use(id);
			if (!session) {
				return rpcRefusal(404, 'Session not found');
			}

			keepBusy(session, response);
			const answer = await session.transport.handleRequest(request, {parsedBody});
			if (answer.ok) {
				cancelCalls(session, parsedBody);
			}

			return answer;
		},
		find(id) {
			const session = typeof id === 'string' ? table.use(id) : undefined;
			return session && handleOf(String(id), session);
		},
		listChanged(list) {
			for (const {server} of table.all()) {
				// A client without an open stream lists again when it needs to.
				notifyListChanged(server, list).catch(() => undefined);
			}
		},
		async close() {
			await table.endAll();
		},
	};
}

/** The sessions, in order of last use. */
function createTable() {
	const sessions = new Map<string, Session>();
	/** Takes a session out and cancels the calls that its server does not know. */
	const remove = (id: string) => {
		const session = sessions.get(id);
		sessions.delete(id);
		session?.calls.forEach(({cancel}) => cancel('The session was ended'));
	};

	const end = async (id: string, {server}: Session) => {
		remove(id);
		await server.close();
	};

	return {
		all: () => [...sessions.values()],
		add: (id: string, session: Session) => void sessions.set(id, session),
		remove,
		endAll: () => Promise.all([...sessions].map(([id, session]) => end(id, session))),
		/** The session of that id, which is used now. */
		use(id: string): Session | undefined {
			const session = sessions.get(id);
			if (session) {
				sessions.delete(id);
				sessions.set(id, session);
			}

			return session;
		},
		/** False when every session is busy. */
		async makeRoom(): Promise<boolean> {
			const idle = [...sessions].find(([, session]) => session.open === 0);
			if (sessions.size >= endpointLimits.sessions && idle) {
				await end(...idle);
			}

			return sessions.size < endpointLimits.sessions;
		},
	};
}

function keepBusy(session: Session, response: ServerResponse): void {
	if (!response.destroyed) {
		session.open++;
		response.once('close', () => void session.open--);
	}
}

function handleOf(id: string, session: Session): LegacySession {
	const {calls, server} = session;
	return {
		id,
		clientName: () => server.getClientVersion()?.name,
		clientCapabilities: () => server.getClientCapabilities(),
		enter(callId, cancel) {
			session.open++;
			const call = {id: callId, cancel};
			calls.add(call);
			return () => {
				session.open--;
				calls.delete(call);
			};
		},
	};
}

/** Cancels the calls that a message of the client, or one of several, cancels. */
function cancelCalls({calls}: Session, message: unknown): void {
	const messages: readonly unknown[] = Array.isArray(message) ? message : [message];
	const cancelled = new Set(messages.map(cancelledId));
	for (const {id, cancel} of calls) {
		if (cancelled.has(id)) {
			cancel('The client cancelled the call');
		}
	}
}

/** The id in a notification that cancels a request. */
function cancelledId(message: unknown): string | number | undefined {
	if (!isJsonObject(message) || message['method'] !== 'notifications/cancelled') {
		return undefined;
	}

	const params = message['params'];
	const id = isJsonObject(params) ? params['requestId'] : undefined;
	return typeof id === 'string' || typeof id === 'number' ? id : undefined;
}
