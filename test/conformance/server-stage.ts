import {mkdtempSync, readFileSync, rmSync, writeFileSync} from 'node:fs';
import {createServer, type IncomingMessage, request, type ServerResponse} from 'node:http';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {startGateway} from '../../source/gateway/gateway.ts';
import {createTestRuntime} from '../helpers/gateway-parts.ts';
import {listenOnFreePort} from '../helpers/free-port.ts';

/** A whole gateway with the suite's tools behind it, and the address the suite is given. */
export type ServerStage = {readonly url: string; readonly close: () => Promise<void>};

/**
Starts it. The suite knows neither the token nor registered names and addresses, so that a listener in front adds the one and the prefixes of the others;
everything else, Host and Origin included, passes as it is.
*/
export async function openServerStage(): Promise<ServerStage> {
	const home = mkdtempSync(join(tmpdir(), 'sluice-conformance-'));
	const peer = {command: process.execPath, args: [join(import.meta.dirname, 'server-peer.ts')], trust: 'full'};
	writeFileSync(join(home, 'config.yaml'), JSON.stringify({mcp_servers: {peer}, gateway: {endpoint: {port: 0}}}));
	const runtime = createTestRuntime(home);
	const url = new Promise<string>(resolve => {
		runtime.eventBus.listen(event => event.type === 'endpoint.state' && event.url !== undefined && resolve(event.url));
	});
	const gateway = await startGateway(runtime, {mode: 'normal', onStopAsked: () => undefined});
	const endpoint = new URL(await url);
	const token = /SLUICE_ENDPOINT_TOKEN=(.+)/u.exec(readFileSync(join(home, '.env'), 'utf8'))?.[1] ?? '';
	const front = createServer((incoming, outgoing) => void forward(incoming, outgoing, {endpoint, token}));
	const port = await listenOnFreePort(front);
	return {
		url: `http://127.0.0.1:${port}/mcp`,
		async close() {
			front.closeAllConnections();
			front.close();
			await gateway.stop('the suite is through');
			rmSync(home, {recursive: true, force: true});
		},
	};
}

const addressPrefix = 'sluice://resources/peer/';

async function forward(
	incoming: IncomingMessage,
	outgoing: ServerResponse,
	{endpoint, token}: {readonly endpoint: URL; readonly token: string},
): Promise<void> {
	const chunks: Buffer[] = [];
	for await (const chunk of incoming) {
		chunks.push(chunk);
	}

	const body = Buffer.concat(chunks)
		.toString('utf8')
		.replaceAll('"name":"test_', '"name":"mcp__peer__test_')
		.replaceAll('"uri":"test://', `"uri":"${addressPrefix}test://`);
	const {'content-length': _, 'transfer-encoding': __, ...headers} = incoming.headers;
	const name = headers['mcp-name'];
	const onward = request(endpoint, {
		method: incoming.method,
		headers: {
			...headers,
			authorization: `Bearer ${token}`,
			...(typeof name === 'string' && {
				'mcp-name': name.replace(/^test_/u, 'mcp__peer__test_').replace(/^test:/u, `${addressPrefix}test:`),
			}),
			...(body !== '' && {'content-length': Buffer.byteLength(body)}),
		},
	});
	outgoing.on('close', () => onward.destroy());
	onward.on('response', answer => {
		const {'content-length': ___, ...answered} = answer.headers;
		outgoing.writeHead(answer.statusCode ?? 500, answered);
		answer.on('data', (chunk: Buffer) => outgoing.write(chunk.toString('utf8').replaceAll(addressPrefix, '')));
		answer.on('end', () => outgoing.end());
	});
	onward.on('error', () => outgoing.destroy());
	onward.end(body);
}
