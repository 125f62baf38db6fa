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
import {closeTransport, type Handshake} from './handshake.ts';
import {type Listing, listOffer} from './list-offer.ts';
import {startUpkeep, type UpkeepOptions} from './upkeep.ts';

export type TransportKind = Connection['config']['transport']['kind'];

/** One session with a server, from handshake to goodbye. */
export type Session = {
	readonly era: Handshake['era'];
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
	readonly config: Connection['config'];
	readonly clock: Clock;
	readonly transport: TransportKind;
	/** The session was found alive without a call. */
	readonly onProven: UpkeepOptions['onProven'];
	readonly onDue: UpkeepOptions['onDue'];
	readonly onLost: (problem: Problem) => void;
	readonly onToolsChanged: () => void;
};

/** Makes a session of a client that has shaken hands. */
export function createSession(handshake: Handshake, options: SessionOptions): Session {
	const {client, opened, era, latencyMs} = handshake;
	const {config, clock, transport, onProven, onDue} = options;
	const {connectTimeoutSeconds: timeoutSeconds} = config;
	const headers = era === 'stateless' && transport === 'http' ? 'mirrored' : 'none';
	let definitions: ReadonlyMap<string, ToolDefinition> = new Map();
	let closed = false;

	const lose = (problem: Problem) => {
		if (!closed) {
			options.onLost(opened.ended() ?? problem);
		}
	};

	const loseBecause = (message: string) => lose(new Problem('server_unavailable', {message}));
	Object.assign(client, {onclose: () => loseBecause('The connection was closed')});
	opened.whenUnreachable(loseBecause);
	const sessionId = () => opened.transport.sessionId;
	const upkeep = startUpkeep({client, era, sessionId}, {config, clock, onProven, onDue, onDead: lose});
	const feed = openChangeFeed({client, era, clock, onChange: () => !closed && options.onToolsChanged()});

	return {
		era,
		latencyMs,
		transport,
		sessionId,
		ask: (request, askOptions) =>
			upkeep.runCall(() => {
				const definition = request.kind === 'tool' ? definitions.get(request.tool) : undefined;
				return askServer(client, request, {...askOptions, definition});
			}),
		async list(signal) {
			const listing = await upkeep.run(() => listOffer({client, clock, timeoutSeconds, headers, signal}));
			definitions = new Map(listing.offer.tools.map(tool => [tool.name, tool]));
			return listing;
		},
		async close(mode) {
			closed = true;
			feed.close();
			upkeep.stop();
			if (mode === 'finish') {
				await upkeep.idle();
			}

			await closeTransport(clock, opened);
		},
	};
}
