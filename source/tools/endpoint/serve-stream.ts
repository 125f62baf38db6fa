import {type Readable, type Writable} from 'node:stream';
import {type Server} from '@modelcontextprotocol/server';
import {serveStdio, StdioServerTransport} from '@modelcontextprotocol/server/stdio';
import {createAggregateServer} from './aggregate-server.ts';
import {type EndpointTools, watchTools} from './endpoint-tools.ts';
import {endpointLimits} from './limits.ts';
import {flawedLines} from './read-message.ts';

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
	const servers = new Set<Server>();
	const createServer = () => {
		const server = createAggregateServer(tools);
		servers.add(server);
		return server;
	};

	const over = clientGone({input, output}, options.signal);
	const handle = serveStdio(createServer, {
		transport: new StdioServerTransport(input.pipe(flawedLines()), output),
		maxSubscriptions: endpointLimits.subscriptions,
		onerror: options.report,
	});
	const endWatch = watchTools(tools, () => {
		for (const server of servers) {
			// A client that has not completed the handshake will list the tools anyway.
			server.sendToolListChanged().catch(() => undefined);
		}
	});
	await over;
	endWatch();
	await handle.close();
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
