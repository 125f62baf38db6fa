import {Agent, fetch as undiciFetch, type RequestInit as UndiciInit, type Response as UndiciResponse} from 'undici';
import {errorText, Problem} from '../util/problem.ts';
import {checkAddress, guardLookup, type Lookup, type Reach} from './address-guard.ts';
import {capBody} from './capped-body.ts';
import {redirectStep, type RedirectScope} from './redirects.ts';
import {type TlsOptions} from './tls-options.ts';

/** A fetch for untrusted addresses: named by a server, a model or a page. */
export type GuardedFetch = {
	/**
	Rejects with Problem `address_refused` when the address, a redirect or a resolved address is out of reach,
	and with `fetch_failed` for all other failures; an abort retains its own reason.
	`redirect: 'error'` refuses any redirect, `'manual'` returns it to the caller.
	*/
	readonly fetch: (url: string | URL, init?: RequestInit) => Promise<Response>;
	/** Ends every connection, also those in use. */
	readonly close: () => Promise<void>;
};

export type GuardedFetchOptions = {
	readonly reach: Reach;
	/** origin: a redirect to another origin is refused. web: it is followed, with only harmless headers and without a body. */
	readonly redirects: RedirectScope;
	/** The largest body in bytes. */
	readonly limitBytes: number;
	/** The trusted authorities; default: those of Node.js. */
	readonly tls?: TlsOptions;
	/** Default: the system's. */
	readonly lookup?: Lookup;
};

const maximumRedirects = 5;

/** The maximum silence of a server. The caller's signal limits the whole request. */
const silenceMilliseconds = 30_000;

/** The headers that may be sent to another origin. */
const harmlessHeaders = ['accept', 'accept-language', 'user-agent'];

/** Opens a guarded fetch. It stores nothing between requests: no cookies, no cache. */
export function openGuardedFetch(options: GuardedFetchOptions): GuardedFetch {
	const {reach, redirects, limitBytes, tls, lookup} = options;
	const agent = new Agent({
		connect: {...tls, lookup: guardLookup(reach, lookup)},
		headersTimeout: silenceMilliseconds,
		bodyTimeout: silenceMilliseconds,
		allowH2: false,
	});

	const follow = async (start: URL, init: GuardedRequest): Promise<UndiciResponse> => {
		let url = start;
		let request = init;
		for (let followed = 0; followed <= maximumRedirects; followed++) {
			checkAddress(url, reach);
			const answer = await undiciFetch(url, {...request, redirect: 'manual', dispatcher: agent});
			const method = (request.method ?? 'GET').toUpperCase();
			const location = answer.headers.get('location');
			const step = redirectStep({from: url, method, status: answer.status, location}, redirects);
			if (step.kind === 'take' || init.redirect === 'manual') {
				return answer;
			}

			await answer.body?.cancel();
			if (step.kind === 'refuse' || init.redirect === 'error') {
				const reason =
					step.kind === 'refuse' ? step.reason : 'The server redirected a request that must not be redirected';
				throw new Problem('address_refused', {message: reason});
			}

			request = nextRequest(request, {keepsBody: step.keepsBody, sameOrigin: step.url.origin === url.origin});
			url = step.url;
		}

		throw new Problem('address_refused', {message: `The server redirected more than ${maximumRedirects} times`});
	};

	return {
		async fetch(url, init = {}) {
			try {
				// One standard, declared twice: by undici and by the types of Node.js.
				const request = {...init, headers: [...new Headers(init.headers)]} as GuardedRequest;
				return withCap(await follow(parseAddress(url), request), limitBytes);
			} catch (error) {
				init.signal?.throwIfAborted();
				throw problemOf(error);
			}
		},
		close: () => agent.destroy(),
	};
}

type GuardedRequest = UndiciInit & {readonly headers: Array<[string, string]>};

function parseAddress(url: string | URL): URL {
	if (!URL.canParse(String(url))) {
		throw new Problem('address_refused', {message: 'The address was not requested: it is not a URL'});
	}

	return new URL(url);
}

/** The request after a redirect: only a GET with harmless headers goes to another origin. */
function nextRequest(
	request: GuardedRequest,
	step: {readonly keepsBody: boolean; readonly sameOrigin: boolean},
): GuardedRequest {
	const next = step.keepsBody && step.sameOrigin ? request : {...request, method: 'GET', body: undefined};
	return step.sameOrigin
		? next
		: {...next, headers: next.headers.filter(([name]) => harmlessHeaders.includes(name.toLowerCase()))};
}

function withCap(answer: UndiciResponse, limitBytes: number): Response {
	const {status, statusText, headers, body, url} = answer;
	const capped = new Response(body && capBody(body, {limitBytes, eventStream: false}), {
		status,
		statusText,
		headers: [...headers],
	});
	// A constructed response has no URL; readers of pages need the URL after redirects.
	return Object.defineProperty(capped, 'url', {value: url});
}

/** The Problem in the cause chain of a platform error, else one that does not quote its message. */
function problemOf(error: unknown): Problem {
	let inner = error;
	for (let depth = 0; depth < 5 && inner instanceof Error; depth++) {
		if (inner instanceof Problem) {
			return inner;
		}

		inner = inner instanceof AggregateError ? inner.errors[0] : inner.cause;
	}

	return new Problem('fetch_failed', {detail: errorText(error), cause: error});
}
