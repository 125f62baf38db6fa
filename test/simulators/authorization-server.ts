import {createServer, type IncomingMessage, type ServerResponse} from 'node:http';
import {type Configuration, Provider} from 'oidc-provider';
import {vi} from 'vitest';
import {listen} from '../helpers/loopback.ts';
import {onTestFinished} from '../helpers/on-test-finished.ts';

/** A request that the authorization server got. */
export type SeenRequest = {
	readonly method: string;
	readonly path: string;
	readonly headers: IncomingMessage['headers'];
	readonly form: URLSearchParams;
};

/** Answers a request instead of the server; `pass` leaves it to it. */
export type Intercept = (
	request: SeenRequest,
	response: ServerResponse,
) => 'pass' | 'answered' | Promise<'pass' | 'answered'>;

/** A real authorization server on loopback, with a person who says yes to everything. */
export type AuthorizationServerFixture = {
	readonly issuer: string;
	readonly provider: Provider;
	readonly requests: readonly SeenRequest[];
	/** Requests to the token endpoint. */
	readonly tokenRequests: () => readonly SeenRequest[];
	/** Looks at every request before the server does. */
	readonly intercept: (with_: Intercept) => void;
	readonly isValid: (accessToken: string) => Promise<boolean>;
};

const jwks = await makeKeys();

async function makeKeys() {
	const {privateKey} = await crypto.subtle.generateKey({name: 'ECDSA', namedCurve: 'P-256'}, true, ['sign', 'verify']);
	return {keys: [{...(await crypto.subtle.exportKey('jwk', privateKey)), alg: 'ES256', use: 'sig'}]};
}

/** Starts the server; it ends with the test. */
export async function startAuthorizationServer(
	configuration: Configuration = {},
	options: {readonly pollSeconds?: number} = {},
): Promise<AuthorizationServerFixture> {
	const requests: SeenRequest[] = [];
	let intercept: Intercept = () => 'pass';
	muteNotices();
	const server = createServer();
	const issuer = await listen(server);
	const features = {...defaults.features, ...configuration.features};
	const provider = new Provider(issuer, {...defaults, ...configuration, features});
	const answer = async (request: IncomingMessage, response: ServerResponse) => {
		const {pathname} = new URL(request.url ?? '/', 'http://localhost');
		const chunks: Buffer[] = [];
		if (request.method === 'POST') {
			for await (const chunk of request) {
				chunks.push(Buffer.from(chunk));
			}
		}

		const body = Buffer.concat(chunks);
		const seen = {
			method: request.method ?? '',
			path: pathname,
			headers: request.headers,
			form: new URLSearchParams(body.toString('utf8')),
		};
		requests.push(seen);
		if ((await intercept(seen, response)) === 'answered') {
			return;
		}

		if (pathname.startsWith('/interaction/')) {
			await sayYes(provider, request, response);
			return;
		}

		if (pathname === '/device/auth' && options.pollSeconds !== undefined) {
			addInterval(response, options.pollSeconds);
		}

		// The server takes a body that was read already under this name.
		Object.assign(request, {body: parseBody(request, body)});
		await provider.callback()(request, response);
	};

	server.on('request', (request, response) => {
		void answer(request, response).catch((error: unknown) => response.writeHead(500).end(String(error)));
	});
	return {
		issuer,
		provider,
		requests,
		tokenRequests: () => requests.filter(({path, method}) => path === '/token' && method === 'POST'),
		intercept(with_) {
			intercept = with_;
		},
		isValid: async token => (await provider.AccessToken.find(token)) !== undefined,
	};
}

let running = 0;

/** Hides what the server writes to the console about being a test server, while one runs. */
function muteNotices(): void {
	if (running++ === 0) {
		for (const level of ['warn', 'info'] as const) {
			const write = console[level].bind(console);
			vi.spyOn(console, level).mockImplementation((...texts: unknown[]) => {
				if (!String(texts[0]).startsWith('oidc-provider ')) {
					write(...texts);
				}
			});
		}
	}

	onTestFinished(() => {
		if (--running === 0) {
			vi.mocked(console.warn).mockRestore();
			vi.mocked(console.info).mockRestore();
		}
	});
}

/** The server leaves out how often it may be asked. */
function addInterval(response: ServerResponse, interval: number): void {
	const end = response.end.bind(response);
	const endWith = (body: unknown) => {
		const text = JSON.stringify({...JSON.parse(String(body)), interval});
		response.setHeader('content-length', Buffer.byteLength(text));
		return end(text);
	};
	Object.assign(response, {end: endWith});
}

function parseBody(request: IncomingMessage, body: Buffer): unknown {
	const type = request.headers['content-type'] ?? '';
	if (body.length === 0) {
		return undefined;
	}

	return type.startsWith('application/json')
		? JSON.parse(body.toString('utf8'))
		: Object.fromEntries(new URLSearchParams(body.toString('utf8')));
}

const defaults = {
	jwks,
	cookies: {keys: ['test']},
	clientDefaults: {
		token_endpoint_auth_method: 'none',
		id_token_signed_response_alg: 'ES256',
		grant_types: ['authorization_code', 'refresh_token'],
	},
	scopes: ['openid', 'offline_access', 'read', 'write'],
	rotateRefreshToken: true,
	issueRefreshToken: async () => true,
	findAccount: async (_, id) => ({accountId: id, claims: async () => ({sub: id})}),
	interactions: {url: (_, {uid}) => `/interaction/${uid}`},
	ttl: {
		AccessToken: 3600,
		RefreshToken: 86_400,
		Grant: 86_400,
		Session: 86_400,
		Interaction: 600,
		DeviceCode: 600,
		IdToken: 3600,
	},
	features: {
		devInteractions: {enabled: false},
		deviceFlow: {enabled: true},
		registration: {enabled: true},
		resourceIndicators: {
			enabled: true,
			defaultResource: () => 'urn:none',
			useGrantedResource: () => true,
			getResourceServerInfo: () => ({scope: 'read write', accessTokenFormat: 'opaque'}),
		},
	},
} satisfies Configuration;

async function sayYes(provider: Provider, request: IncomingMessage, response: ServerResponse): Promise<void> {
	const {params} = await provider.interactionDetails(request, response);
	const grant = new provider.Grant({accountId: 'robot', clientId: String(params['client_id'])});
	const scope = typeof params['scope'] === 'string' ? params['scope'] : '';
	grant.addOIDCScope(`openid ${scope}`);
	const resource = params['resource'];
	for (const indicator of [resource].flat()) {
		grant.addResourceScope(typeof indicator === 'string' ? indicator : 'urn:none', scope || 'read');
	}

	const grantId = await grant.save();
	await provider.interactionFinished(request, response, {login: {accountId: 'robot'}, consent: {grantId}});
}
