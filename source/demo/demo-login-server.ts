import {type IncomingMessage, type ServerResponse} from 'node:http';
import {McpServer} from '@modelcontextprotocol/server';
import {z} from 'zod';
import {type Clock} from '../util/clock.ts';
import {type DemoHttpServer, startMcpServer} from './demo-http-server.ts';
import {createDeviceGrants, type DeviceGrants} from './device-grants.ts';

/** More than any request of a login. */
const longestBodyBytes = 16_384;

/** Starts the library: a tool server that requires a login with a code, and its authorization server, where a robot types the code. */
export async function startDemoLoginServer(clock: Clock): Promise<DemoHttpServer> {
	const grants = createDeviceGrants(clock);
	const server = await startMcpServer(createLibraryServer, (request, response, origin) => {
		const {pathname} = new URL(request.url ?? '/', origin);
		if (pathname !== '/mcp') {
			void answer(pathname, {request, response, origin, grants});
			return 'answered';
		}

		if (grants.isValid(/^Bearer (.+)$/u.exec(request.headers.authorization ?? '')?.[1] ?? '')) {
			return 'pass';
		}

		const resource = `${origin}/.well-known/oauth-protected-resource/mcp`;
		response.writeHead(401, {'www-authenticate': `Bearer resource_metadata="${resource}"`}).end();
		return 'answered';
	});
	return {
		url: server.url,
		async close() {
			grants.close();
			await server.close();
		},
	};
}

type Exchange = {
	readonly request: IncomingMessage;
	readonly response: ServerResponse;
	readonly origin: string;
	readonly grants: DeviceGrants;
};

async function answer(path: string, {request, response, origin, grants}: Exchange): Promise<void> {
	const form = new URLSearchParams(await readBody(request));
	const json = (value: object | string) => {
		const status = typeof value === 'string' ? 400 : 200;
		response.writeHead(status, {'content-type': 'application/json', 'cache-control': 'no-store'});
		response.end(JSON.stringify(typeof value === 'string' ? {error: value} : value));
	};

	switch (path) {
		case '/.well-known/oauth-protected-resource/mcp':
			json({resource: `${origin}/mcp`, authorization_servers: [origin]});
			return;
		case '/.well-known/oauth-authorization-server':
			json(metadata(origin));
			return;
		case '/register':
			json({client_id: 'demo', token_endpoint_auth_method: 'none', redirect_uris: []});
			return;
		case '/device_authorization':
			json({...grants.offer(), verification_uri: `${origin}/device`});
			return;
		case '/token':
			json(
				form.has('refresh_token')
					? grants.refresh(form.get('refresh_token') ?? '')
					: grants.redeem(form.get('device_code') ?? ''),
			);
			return;
		case '/device':
			response.writeHead(200, {'content-type': 'text/plain; charset=utf-8'});
			response.end('Normally you would type the code here. In the demo, a robot does it for you.\n');
			return;
		default:
			response.writeHead(404).end();
	}
}

function metadata(origin: string): object {
	return {
		issuer: origin,
		token_endpoint: `${origin}/token`,
		registration_endpoint: `${origin}/register`,
		device_authorization_endpoint: `${origin}/device_authorization`,
		grant_types_supported: ['urn:ietf:params:oauth:grant-type:device_code', 'refresh_token'],
		response_types_supported: [],
		token_endpoint_auth_methods_supported: ['none'],
	};
}

async function readBody(request: IncomingMessage): Promise<string> {
	const chunks: Buffer[] = [];
	let bytes = 0;
	for await (const chunk of request) {
		const part = Buffer.from(chunk);
		bytes += part.length;
		if (bytes <= longestBodyBytes) {
			chunks.push(part);
		}
	}

	return Buffer.concat(chunks).toString('utf8');
}

const books = [
	{title: 'The Patient Gardener', shelf: 'B 12'},
	{title: 'A Field Guide to Slugs', shelf: 'B 14'},
	{title: 'Rain, and What to Do About It', shelf: 'C 3'},
	{title: 'Compost for the Impatient', shelf: 'B 12'},
	{title: 'Letters from a Greenhouse', shelf: 'E 7'},
];

/** A tool server with the books of a fictional library; it requires a login. */
function createLibraryServer(): McpServer {
	const server = new McpServer({name: 'library', title: 'Library', version: '1.0.0'});

	server.registerTool(
		'find_book',
		{
			title: 'Find a book',
			description: 'Finds the shelf of a book by words in its title.',
			inputSchema: z.object({words: z.string().min(1).max(100)}),
			annotations: {readOnlyHint: true, openWorldHint: false},
		},
		({words}) => {
			const found = books.filter(({title}) => title.toLowerCase().includes(words.toLowerCase()));
			const lines = found.map(({title, shelf}) => `${title}: shelf ${shelf}`);
			return {content: [{type: 'text', text: lines.length > 0 ? lines.join('\n') : 'No such book.'}]};
		},
	);

	return server;
}
