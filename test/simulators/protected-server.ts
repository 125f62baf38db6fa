import {createServer, type IncomingMessage} from 'node:http';
import {listen} from '../helpers/loopback.ts';
import {answerJson} from '../mcp/fixture-servers.ts';

export type ProtectedServer = {
	readonly url: string;
	/** Requests to the MCP endpoint. */
	readonly requests: IncomingMessage[];
};

/** A small MCP server that wants a token, with its metadata (RFC 9728). It ends with the test. */
export async function startProtectedServer(options: {
	readonly authorizationServers: () => readonly string[];
	readonly isValid: (token: string) => Promise<boolean> | boolean;
	readonly metadata?: Readonly<Record<string, unknown>>;
	/** The same, with the address of the server. */
	readonly metadataOf?: (url: string) => Readonly<Record<string, unknown>>;
	/** The bodies answered with 200 at other paths, and in front of the metadata. */
	readonly pages?: Readonly<Record<string, {readonly contentType: string; readonly body: string} | undefined>>;
	/** Replaces the challenge of a 401; `undefined` sends none. */
	readonly challenge?: (metadataUrl: string) => string | undefined;
}): Promise<ProtectedServer> {
	const requests: IncomingMessage[] = [];
	const server = createServer((request, response) => {
		const {pathname} = new URL(request.url ?? '/', origin);
		const page = options.pages?.[pathname];
		if (page) {
			response.writeHead(200, {'content-type': page.contentType}).end(page.body);
			return;
		}

		if (pathname.startsWith('/.well-known/oauth-protected-resource')) {
			response.setHeader('content-type', 'application/json');
			response.end(
				JSON.stringify({
					resource: `${origin}/mcp`,
					authorization_servers: options.authorizationServers(),
					scopes_supported: ['read', 'write'],
					...options.metadata,
					...options.metadataOf?.(`${origin}/mcp`),
				}),
			);
			return;
		}

		if (pathname !== '/mcp' && pathname !== '/mcp/') {
			response.writeHead(404).end();
			return;
		}

		requests.push(request);
		void admit(request).then(admitted => {
			if (admitted) {
				return answerJson(request, response);
			}

			const metadataUrl = `${origin}/.well-known/oauth-protected-resource/mcp`;
			const challenge = options.challenge
				? options.challenge(metadataUrl)
				: `Bearer resource_metadata="${metadataUrl}"`;
			response.writeHead(401, challenge === undefined ? {} : {'www-authenticate': challenge}).end();
			return undefined;
		});
	});

	const admit = async ({headers}: IncomingMessage) => {
		const token = /^Bearer (.+)$/u.exec(headers.authorization ?? '')?.[1];
		return token !== undefined && (await options.isValid(token));
	};

	const origin = await listen(server);
	return {url: `${origin}/mcp`, requests};
}
