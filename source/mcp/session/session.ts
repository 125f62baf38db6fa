import {type Clock} from '../../util/clock.ts';
import {Problem} from '../../util/problem.ts';
import {askServer} from '../calls/ask-server.ts';
import {openChangeFeed} from './change-feed.ts';
import {
	type CallContent,
	type Connection,
	type RequestOptions,
	type ServerNotice,
	type ServerRequest,
	type ToolDefinition,
} from '../connection.ts';
import {closeTransport, type Handshake, noSdkTimeout} from '../protocol/handshake.ts';
import {type KeepKnown} from '../protocol/known-definitions.ts';
import {type Listing, listCapabilities} from '../protocol/list-capabilities.ts';
import {watchSessionHealth, type SessionHealthOptions} from './session-health.ts';

export type TransportKind = Connection['config']['transport']['kind'];

/** One session with a server, from handshake to close. */
export type Session = {
	readonly era: Handshake['era'];
	readonly protocolVersion: string;
	readonly latencyMs: number;
	readonly transport: TransportKind;
	readonly sessionId: () => string | undefined;
	/** Rejects with the errors of the SDK; see `callFailure`. */
	readonly ask: (request: ServerRequest, options: RequestOptions) => Promise<CallContent>;
	/** Lists the capabilities of the server. Rejects with the errors of the SDK; see `connectFailure`. */
	readonly list: (signal: AbortSignal) => Promise<Listing>;
	/** Closes at once, or after the running calls have ended. Never rejects. */
	readonly close: (calls: 'finish' | 'cut') => Promise<void>;
};

export type SessionOptions = {
	readonly config: Connection['config'];
	readonly clock: Clock;
	readonly transport: TransportKind;
	/** A ping showed that the session is alive. */
	readonly onHealthy: SessionHealthOptions['onHealthy'];
	readonly onDue: SessionHealthOptions['onDue'];
	readonly onDisconnect: (problem: Problem) => void;
	readonly onToolsChanged: () => void;
	readonly onNotice: (notice: ServerNotice) => void;
	/** The resources whose changes are wanted, in all sessions of the server. */
	readonly subscribed: Set<string>;
	/** Shares definitions with the former lists of the server. */
	readonly keepKnown: KeepKnown;
};

/** Creates a session from a client after its handshake. */
export function createSession(handshake: Handshake, options: SessionOptions): Session {
	const {client, opened, era, protocolVersion, latencyMs} = handshake;
	const {config, clock, transport, onHealthy, onDue} = options;
	const {connectTimeoutSeconds: timeoutSeconds} = config;
	const headers = era === 'stateless' && transport === 'http' ? 'mirrored' : 'none';
	let definitions: ReadonlyMap<string, ToolDefinition> = new Map();
	let closed = false;

	const lose = (problem: Problem) => {
		if (!closed) {
			options.onDisconnect(opened.ended() ?? problem);
		}
	};

	const loseBecause = (message: string) => lose(new Problem('server_unavailable', {message}));
	Object.assign(client, {onclose: () => loseBecause('The connection was closed')});
	opened.whenUnreachable(loseBecause);
	const sessionId = () => opened.transport.sessionId;
	/** The error of a request; a transport that was closed for what the server sent knows it better than the SDK. */
	const errorOf = (error: unknown) => {
		const ended = opened.ended();
		return ended?.code === 'call_failed' ? ended : error;
	};

	const health = watchSessionHealth({client, era, sessionId}, {config, clock, onHealthy, onDue, onDead: lose});
	const onToolsChanged = () => !closed && options.onToolsChanged();
	const feed = openChangeFeed({...options, client, era, onToolsChanged});
	const send = async (request: ServerRequest, askOptions: RequestOptions): Promise<CallContent> => {
		if (request.kind !== 'subscribe-resource' && request.kind !== 'unsubscribe-resource') {
			const definition = request.kind === 'tool' ? definitions.get(request.tool) : undefined;
			return askServer(client, request, {...askOptions, definition});
		}

		const change = request.kind === 'subscribe-resource' ? feed.subscribe : feed.unsubscribe;
		await change(request.uri, {signal: askOptions.signal, timeout: noSdkTimeout});
		return {content: [], isError: false};
	};

	return {
		era,
		protocolVersion,
		latencyMs,
		transport,
		sessionId,
		ask: (request, askOptions) =>
			health.runCall(() =>
				send(request, askOptions).catch((error: unknown) => {
					throw errorOf(error);
				}),
			),
		async list(signal) {
			const listing = await health
				.run(() => listCapabilities({client, clock, timeoutSeconds, headers, signal}))
				.catch((error: unknown) => {
					throw errorOf(error);
				});
			const tools = options.keepKnown(listing.offer.tools);
			definitions = new Map(tools.map(tool => [tool.name, tool]));
			return {...listing, offer: {...listing.offer, tools}};
		},
		async close(mode) {
			closed = true;
			feed.close();
			health.stop();
			if (mode === 'finish') {
				await health.whenIdle();
			}

			await closeTransport(clock, opened);
		},
	};
}
