import {type Readable, type Writable} from 'node:stream';
import {type JSONRPCMessage, type McpServerFactory, type Server} from '@modelcontextprotocol/server';
import {serveStdio, StdioServerTransport} from '@modelcontextprotocol/server/stdio';
import {createAggregateServer} from './aggregate-server.ts';
import {type EndpointTools, watchLists, watchResources} from './endpoint-tools.ts';
import {notifyListChanged} from './legacy-sessions.ts';
import {endpointLimits} from './limits.ts';
import {createPausedCalls} from './paused-calls.ts';
import {flawedLines} from './read-message.ts';
import {
	isResourceListen,
	openResourceSubscriptions,
	type ResourceSubscriptions,
	subscribeListen,
} from './resource-subscriptions.ts';
import {servedUri} from './served-uri.ts';
import {createServerFeatures} from './server-features.ts';

/** The eras in the words of the SDK. */
type Era = Parameters<McpServerFactory>[0]['era'];

/** The input and output of one client. */
export type ClientStreams = {readonly input: Readable; readonly output: Writable};

/**
Serves all tools to one client over a pair of streams, one message per line, in both eras of the protocol. Resolves when the client disconnects
or the signal aborts; its calls are cancelled then.
*/
export async function serveStream(
	tools: EndpointTools,
	{input, output}: ClientStreams,
	options: {readonly signal: AbortSignal; readonly report: (error: Error) => void},
): Promise<void> {
	// One for the client, and possibly one for its probe of the era.
	const servers = new Map<Server, Era>();
	const features = createServerFeatures(tools);
	const paused = createPausedCalls(tools);
	const createServer: McpServerFactory = ({era}) => {
		const server = createAggregateServer(tools, {features, paused}, era);
		servers.set(server, era);
		return server;
	};

	const over = clientGone({input, output}, options.signal);
	const transport = new StdioServerTransport(input.pipe(flawedLines()), output);
	const handle = serveStdio(createServer, {
		transport,
		maxSubscriptions: endpointLimits.subscriptions,
		onerror: options.report,
	});
	const endListening = subscribeListens(transport, () => openResourceSubscriptions({tools, features}, () => undefined));
	const endWatch = watchLists(tools, list => {
		for (const server of servers.keys()) {
			// A client that has not completed the handshake will list anyway.
			notifyListChanged(server, list).catch(() => undefined);
		}
	});
	const endResources = watchResources(tools, own => {
		for (const [server, era] of servers) {
			// Sessions of the older era know what they are subscribed to; here the SDK does.
			if (era === 'modern') {
				server.sendResourceUpdated({uri: servedUri(own)}).catch(() => undefined);
			}
		}
	});
	await over;
	endWatch();
	endResources();
	endListening();
	paused.close();
	await handle.close();
}

/** While a listen request of the stateless era is open, the servers announce changes of the resources that it names. The returned function ends all. */
function subscribeListens(transport: StdioServerTransport, open: () => ResourceSubscriptions): () => void {
	const deliver = transport.onmessage;
	const listens = new Map<unknown, {readonly gone: AbortController; readonly subscriptions: ResourceSubscriptions}>();
	const end = (id: unknown) => {
		const listen = listens.get(id);
		listens.delete(id);
		listen?.gone.abort();
		listen?.subscriptions.close();
	};

	const listen = async (message: JSONRPCMessage) => {
		const id = 'id' in message ? message.id : undefined;
		const [gone, subscriptions] = [new AbortController(), open()];
		end(id);
		listens.set(id, {gone, subscriptions});
		const subscribed = await subscribeListen(message, subscriptions, gone.signal);
		if (!gone.signal.aborted) {
			deliver?.(subscribed as JSONRPCMessage);
		}
	};

	const onmessage = (message: JSONRPCMessage) => {
		if (isResourceListen(message)) {
			void listen(message);
			return;
		}

		if ('method' in message && message.method === 'notifications/cancelled') {
			end(message.params?.['requestId']);
		}

		deliver?.(message);
	};

	Object.assign(transport, {onmessage});
	return () => [...listens.keys()].forEach(end);
}

function clientGone({input, output}: ClientStreams, signal: AbortSignal): Promise<void> {
	return new Promise(resolve => {
		const done = () => resolve();
		if (signal.aborted || input.readableEnded || input.destroyed) {
			done();
			return;
		}

		signal.addEventListener('abort', done, {once: true});
		input.once('end', done).once('close', done).once('error', done);
		output.once('close', done).once('error', done);
	});
}
