import {SSEClientTransport, StreamableHTTPClientTransport, type Transport} from '@modelcontextprotocol/client';
import {type ServerFetch} from '../net/server-fetch.ts';
import {type Clock} from '../util/clock.ts';
import {type OpenedTransport, type TransportOptions} from './opened-transport.ts';
import {openRemoteFetch, type RemoteConfig} from './remote-fetch.ts';
import {guardStreams} from './stream-guard.ts';

/** Opens the transport of a remote entry. Rejects with config_invalid, file_missing. */
export async function openRemote(config: RemoteConfig, options: TransportOptions): Promise<OpenedTransport> {
	const serverFetch = await openRemoteFetch(config, options);
	const {url} = serverFetch;
	let onUnreachable: ((message: string) => void) | undefined;
	const fetch = watchListening(config.kind, serverFetch, message => onUnreachable?.(message));
	const remote = createRemote(config.kind, {url, fetch, clock: options.clock});
	return {
		transport: remote.transport,
		ended: () => undefined,
		whenUnreachable(callback) {
			onUnreachable = callback;
		},
		async close(signal) {
			onUnreachable = undefined;
			// The server would keep the session otherwise; if it does not answer, it does.
			await Promise.race([remote.endSession().catch(() => {}), whenAborted(signal)]);
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
	// Redirects are handled by the fetch itself.
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
Watches the listening stream (the GET). The server is gone when the network says so, when it answers 404 in a session,
and over SSE when the stream has to be opened a second time: a new stream would be a new session that nobody has opened.
*/
function watchListening(
	kind: RemoteConfig['kind'],
	serverFetch: ServerFetch,
	onUnreachable: (message: string) => void,
): Fetch {
	let streams = 0;
	return async (url, init) => {
		const listens = (init?.method ?? 'GET').toUpperCase() === 'GET';
		streams += listens ? 1 : 0;
		if (listens && kind === 'sse' && streams > 1) {
			onUnreachable('The event stream broke off');
		}

		try {
			const answer = await serverFetch.fetch(url, init);
			if (listens && answer.status === 404 && new Headers(init?.headers).has('mcp-session-id')) {
				onUnreachable('The server has forgotten the session');
			}

			return answer;
		} catch (error) {
			if (listens && !init?.signal?.aborted) {
				onUnreachable('The server went away');
			}

			throw error;
		}
	};
}

function whenAborted(signal: AbortSignal): Promise<void> {
	return new Promise(resolve => {
		if (signal.aborted) {
			resolve();
		} else {
			signal.addEventListener('abort', () => resolve(), {once: true});
		}
	});
}
