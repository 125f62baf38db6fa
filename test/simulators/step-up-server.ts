import {createServer} from 'node:http';
import {listen} from '../helpers/loopback.ts';
import {answerJson} from '../mcp/fixture-servers.ts';
import {type AuthorizationServerFixture} from './authorization-server.ts';

/** An MCP server for tokens that may read, which calls nothing for one that may not write. */
export type StepUpServer = {
	readonly url: string;
	/** Number of calls that it refused with `insufficient_scope`, and of those that it answered. */
	readonly calls: () => {readonly refused: number; readonly answered: number};
	/** The scope of the tokens that calls from now on need. */
	readonly demand: (scope: string) => void;
};

/** Starts the server; it ends with the test. Its challenge for a wider scope says nothing of metadata, and names the scope unless told otherwise. */
export async function startStepUpServer(
	authorization: AuthorizationServerFixture,
	{names = 'scope'}: {readonly names?: 'scope' | 'nothing'} = {},
): Promise<StepUpServer> {
	const calls = {refused: 0, answered: 0};
	let demanded = 'write';
	const server = createServer((request, response) => {
		const {host = ''} = request.headers;
		if (request.url?.startsWith('/.well-known/oauth-protected-resource')) {
			const metadata = {
				resource: `http://${host}/mcp`,
				authorization_servers: [authorization.issuer],
				scopes_supported: ['read', 'write'],
			};
			response.writeHead(200, {'content-type': 'application/json'}).end(JSON.stringify(metadata));
			return;
		}

		const token = /^Bearer (.+)$/u.exec(request.headers.authorization ?? '')?.[1] ?? '';
		void authorization.provider.AccessToken.find(token).then(found => {
			const granted = found?.scope?.split(' ') ?? [];
			if (!granted.includes('read')) {
				const metadataUrl = `http://${host}/.well-known/oauth-protected-resource/mcp`;
				const challenge = `Bearer scope="read", resource_metadata="${metadataUrl}"`;
				response.writeHead(401, {'www-authenticate': challenge}).end();
				return undefined;
			}

			return answerJson(request, response, {
				hear(method) {
					if (method !== 'tools/call') {
						return 'answer';
					}

					if (granted.includes(demanded)) {
						calls.answered++;
						return 'answer';
					}

					calls.refused++;
					const scope = names === 'scope' ? `, scope="${demanded}"` : '';
					response.writeHead(403, {'www-authenticate': `Bearer error="insufficient_scope"${scope}`}).end();
					return 'ignore';
				},
			});
		});
	});
	const url = await listen(server, '/mcp');
	return {
		url,
		calls: () => ({...calls}),
		demand(scope) {
			demanded = scope;
		},
	};
}
