import {SSEClientTransport, StreamableHTTPClientTransport, type Transport} from '@modelcontextprotocol/client';
import {type ServerFetch} from '../../net/server-fetch.ts';
import {type Clock, untilAborted} from '../../util/clock.ts';
import {readBodies} from '../protocol/response-bodies.ts';
import {refusesSession} from '../calls/call-failure.ts';
import {type OpenedTransport, type TransportOptions} from './opened-transport.ts';
import {createRawResponses, passRaw} from '../protocol/raw-responses.ts';
import {createRemoteFetch, type RemoteConfig} from './remote-fetch.ts';
import {guardStreams} from './stream-guard.ts';

/** Opens the transport of a remote entry. Rejects with config_invalid, file_missing. */
export async function openRemote(config: RemoteConfig, options: TransportOptions): Promise<OpenedTransport> {
	const serverFetch = await createRemoteFetch(config, options);
	const {url} = serverFetch;
	let onUnreachable: ((message: string) => void) | undefined;
	const answers = createRawResponses();
	const watched = watchListening(config.kind, serverFetch, message => onUnreachable?.(message));
	const fetch = readBodies(watched, answers);
	const remote = createRemote(config.kind, {url, fetch, clock: options.clock});
	return {
		transport: passRaw(remote.transport, answers),
		ended: () => undefined,
		whenUnreachable(callback) {
			onUnreachable = callback;
		},
		async close(signal) {
			onUnreachable = undefined;
			// A server that does not respond in time keeps the session.
			await untilAborted(remote.endSession(), signal).catch(() => {});
			await remote.transport.close();
			await serverFetch.close();
		},
	};
}

type Fetch = ServerFetch['fetch'];

function createRemote(
	kind: RemoteConfig['kind'],
	options: {readonly url: URL; readonly fetch: Fetch; readonly clock: Clock},
): {readonly transport: Transport; readonly endSession: () => Promise<void>} {
	const {url, fetch, clock} = options;
	// The fetch handles redirects itself.
	const common = {fetch, redirectPolicy: 'follow'} as const;
	if (kind === 'sse') {
		return {transport: new SSEClientTransport(url, common), endSession: async () => {}};
	}

	const transport = new StreamableHTTPClientTransport(url, {
		...common,
		reconnectionScheduler: (reconnect, delay) => clock.after(delay, reconnect).cancel,
	});
	return {transport: guardStreams(transport), endSession: () => transport.terminateSession()};
}

/**
Watches the listening stream (the GET). The server is lost when the network fails, when it answers 404 in a session, when it
refuses to reopen a stream with an error that says the session is unknown, and over SSE when the stream has to be opened
again: a new stream would be a new session without a handshake.
*/
function watchListening(
	kind: RemoteConfig['kind'],
	serverFetch: ServerFetch,
	onUnreachable: (message: string) => void,
): Fetch {
	let streams = 0;
	let wasOpen = false;
	return async (url, init) => {
		const listens = (init?.method ?? 'GET').toUpperCase() === 'GET';
		streams += listens ? 1 : 0;
		if (listens && kind === 'sse' && streams > 1) {
			onUnreachable('The event stream ended unexpectedly');
		}

		try {
			const answer = await serverFetch.fetch(url, init);
			if (listens && !answer.ok && new Headers(init?.headers).has('mcp-session-id')) {
				// Some servers refuse every stream; an error means a lost session only if a stream was open before.
				const gone = answer.status === 404 || (wasOpen && (await refusesSession(answer.clone())));
				if (gone) {
					onUnreachable('The server no longer knows the session');
				}
			}

			wasOpen ||= listens && answer.ok;
			return answer;
		} catch (error) {
			if (listens && !init?.signal?.aborted) {
				onUnreachable('The server disconnected');
			}

			throw error;
		}
	};
}
