import {type IncomingMessage} from 'node:http';
import type {FastifyInstance} from 'fastify';
import {createHttpServer} from '../../util/http-server.ts';
import {toProblem} from '../../util/problem.ts';
import {type AcceptPasted, readPasted} from './pasted-redirect.ts';
import {type CallbackPlan, portsToTry, redirectAddress} from './callback-port.ts';

/** A listening callback: no other login can take its port before the redirect (docs/logins.md, Callback ports). */
export type CallbackServer = {
	readonly port: number;
	readonly redirectUri: string;
	/** Resolves with the redirect that carries this `state`. Any other request gets a page that says that it was not meant for this login, and is ignored. */
	readonly await: (redirect: AwaitedState) => Promise<URLSearchParams>;
	/** Takes a pasted redirect: an address, its query or the code alone. */
	readonly accept: AcceptPasted;
	readonly close: () => Promise<void>;
};

/** The `state` that a redirect must have. Its code may be pasted alone unless the redirect has to name its issuer (RFC 9207). */
export type AwaitedState = {readonly state: string; readonly bareCode: 'taken' | 'refused'};

/** Listens on the first free port of the plan on 127.0.0.1. Rejects with Problem `login_failed` when a configured port is taken. */
export async function openCallbackServer(plan: CallbackPlan): Promise<CallbackServer> {
	let awaited: (AwaitedState & {readonly resolve: (parameters: URLSearchParams) => void}) | undefined;
	const take = (parameters: URLSearchParams): boolean => {
		const waiting = awaited;
		if (waiting === undefined || parameters.get('state') !== waiting.state) {
			return false;
		}

		awaited = undefined;
		waiting.resolve(parameters);
		return true;
	};

	const server = await createHttpServer(serverOptions, async ({raw}, reply) => {
		const {localPort = 0} = raw.socket;
		const redirect = redirectOf(raw, {redirectUri: redirectAddress(plan, localPort), port: localPort});
		const isTaken = redirect !== undefined && take(redirect);
		void reply
			.code(isTaken ? 200 : 400)
			.headers(callbackHeaders)
			.send(isTaken ? takenPage : foreignPage);
	});
	const port = await listenFirst(server, plan);
	return {
		port,
		redirectUri: redirectAddress(plan, port),
		await: redirect =>
			new Promise(resolve => {
				awaited = {...redirect, resolve};
			}),
		accept(pasted) {
			const parameters = awaited && readPasted(pasted, awaited);
			return parameters === undefined ? 'no redirect' : take(parameters) ? 'taken' : 'of another login';
		},
		close: () => server.close(),
	};
}

/** The page for the redirect that was waited for. Fixed text, as on the other one, so that no part of a URL or response gets into it. */
const takenPage = page(
	'Login received',
	'Go back to the terminal, which shows how the login ended. You can close this window.',
);

/** The page for a redirect of another login, or for any other request. */
const foreignPage = page(
	'Not this login',
	'This address belongs to another login, or to one that has ended, so Sluice did not use it. Go back to the terminal and open the address that it shows.',
);

function page(title: string, text: string): string {
	return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="color-scheme" content="light dark">
<title>Sluice</title>
<h1>${title}</h1>
<p>${text}</p>
</html>
`;
}

/** The page loads nothing, is not cached or framed, and sends no referrer. */
const callbackHeaders = {
	'content-type': 'text/html; charset=utf-8',
	'cache-control': 'no-store',
	'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
	'referrer-policy': 'no-referrer',
	'x-content-type-options': 'nosniff',
	connection: 'close',
} as const;

const serverOptions = {
	requestTimeout: 10_000,
	keepAliveTimeout: 5000,
	http: {headersTimeout: 10_000, maxHeaderSize: 16_384},
	forceCloseConnections: true,
} as const;
const maxConnections = 16;

async function listenFirst(app: FastifyInstance, plan: CallbackPlan): Promise<number> {
	app.server.maxConnections = maxConnections;
	let failure: unknown;
	for (const port of portsToTry(plan)) {
		try {
			const address = await app.listen({port, host: '127.0.0.1', exclusive: true});
			return Number(new URL(address).port || '80');
		} catch (error) {
			failure = error;
		}
	}

	await app.close();
	const message = 'No port is free for the redirect. Set `oauth.redirect_port` to a free one';
	throw toProblem(failure, 'login_failed', {message});
}

/** The parameters of a redirect; undefined for any other request: another path or method, or one with another host name. */
function redirectOf(
	{method, url = '', headers}: IncomingMessage,
	{redirectUri, port}: {readonly redirectUri: string; readonly port: number},
): URLSearchParams | undefined {
	const expected = new URL(redirectUri);
	const hosts = [`127.0.0.1:${port}`, `localhost:${port}`, expected.host];
	const base = `http://${headers.host ?? ''}`;
	if (method !== 'GET' || !hosts.includes(headers.host ?? '') || !URL.canParse(url, base)) {
		return undefined;
	}

	const asked = new URL(url, base);
	return asked.pathname === expected.pathname ? asked.searchParams : undefined;
}
