import {type IncomingMessage, type ServerResponse} from 'node:http';
import {localhostHostValidation, localhostOriginValidation, toNodeHandler} from '@modelcontextprotocol/node';
import {createMcpHandler} from '@modelcontextprotocol/server';
import {type Clock} from '../util/clock.ts';
import {createDeviceGrants, type DeviceGrants} from './device-grants.ts';
import {type DemoHttpServer} from './demo-http-server.ts';
import {createLibraryServer} from './library-server.ts';
import {startLoopbackServer} from './loopback-server.ts';

/** More than any request of a login. */
const longestBodyBytes = 16_384;

/** Starts the library: a tool server that wants a login with a code, and its own authorization server beside it, where a robot types the code. */
export async function startDemoLoginServer(clock: Clock): Promise<DemoHttpServer> {
	const handler = createMcpHandler(createLibraryServer);
	const handle = toNodeHandler(handler);
	const grants = createDeviceGrants(clock);
	const isLocalHost = localhostHostValidation();
	const isLocalOrigin = localhostOriginValidation();
	const server = await startLoopbackServer((request, response) => {
		if (!isLocalHost(request, response) || !isLocalOrigin(request, response)) {
			return;
		}

		const {pathname} = new URL(request.url ?? '/', server.origin);
		if (pathname !== '/mcp') {
			void answer(pathname, {request, response, origin: server.origin, grants});
		} else if (grants.isValid(/^Bearer (.+)$/u.exec(request.headers.authorization ?? '')?.[1] ?? '')) {
			void handle(request, response);
		} else {
			const metadata = `${server.origin}/.well-known/oauth-protected-resource/mcp`;
			response.writeHead(401, {'www-authenticate': `Bearer resource_metadata="${metadata}"`}).end();
		}
	});
	return {
		url: `${server.origin}/mcp`,
		async close() {
			grants.close();
			await handler.close();
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
			response.end('Elsewhere you would type the code here. In the demo a robot does it for you.\n');
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
