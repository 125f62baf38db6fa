import {type Clock} from '../util/clock.ts';
import {Problem} from '../util/problem.ts';
import {askServer} from './ask-server.ts';
import {openChangeFeed} from './change-feed.ts';
import {
	type CallContent,
	type Connection,
	type RequestOptions,
	type ServerRequest,
	type ToolDefinition,
} from './connection.ts';
import {type Era} from './connection-state.ts';
import {closeTransport, type Handshake} from './handshake.ts';
import {type Listing, listOffer} from './list-offer.ts';

export type TransportKind = Connection['config']['transport']['kind'];

/** One session with a server, from handshake to goodbye. */
export type Session = {
	readonly era: Era;
	readonly latencyMs: number;
	readonly transport: TransportKind;
	readonly sessionId: () => string | undefined;
	/** Rejects with the errors of the SDK; see `callFailure`. */
	readonly ask: (request: ServerRequest, options: RequestOptions) => Promise<CallContent>;
	/** Reads what the server offers. Rejects with the errors of the SDK; see `connectFailure`. */
	readonly list: (signal: AbortSignal) => Promise<Listing>;
	/** Closes at once, or once the calls that are under way have ended. Never rejects. */
	readonly close: (calls: 'finish' | 'cut') => Promise<void>;
};

export type SessionOptions = {
	readonly clock: Clock;
	readonly transport: TransportKind;
	/** Limits the reading of the offer. */
	readonly timeoutSeconds: number;
	readonly onLost: (problem: Problem) => void;
	readonly onToolsChanged: () => void;
};

/** Makes a session of a client that has shaken hands. */
export function createSession(handshake: Handshake, options: SessionOptions): Session {
	const {client, opened, era, latencyMs} = handshake;
	const {clock, timeoutSeconds, transport} = options;
	let definitions: ReadonlyMap<string, ToolDefinition> = new Map();
	let closed = false;
	let calls = 0;
	let onIdle: (() => void) | undefined;

	const lose = (message: string) => {
		if (!closed) {
			options.onLost(opened.ended() ?? new Problem('server_unavailable', {message}));
		}
	};

	Object.assign(client, {onclose: () => lose('The connection was closed')});
	opened.whenUnreachable(lose);
	const feed = openChangeFeed({client, era, clock, onChange: () => !closed && options.onToolsChanged()});

	return {
		era,
		latencyMs,
		transport,
		sessionId: () => opened.transport.sessionId,
		async ask(request, askOptions) {
			calls++;
			try {
				const definition = request.kind === 'tool' ? definitions.get(request.tool) : undefined;
				return await askServer(client, request, {...askOptions, definition});
			} finally {
				calls--;
				if (calls === 0) {
					onIdle?.();
				}
			}
		},
		async list(signal) {
			const listing = await listOffer({client, clock, timeoutSeconds, signal});
			definitions = new Map(listing.offer.tools.map(tool => [tool.name, tool]));
			return listing;
		},
		async close(mode) {
			closed = true;
			feed.close();
			if (mode === 'finish' && calls > 0) {
				await new Promise<void>(resolve => {
					onIdle = resolve;
				});
			}

			await closeTransport(clock, opened);
		},
	};
}
