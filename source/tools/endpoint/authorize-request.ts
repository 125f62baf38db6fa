import {hash, timingSafeEqual} from 'node:crypto';

/** The request head, before the body is read. */
export type RequestHead = {
	readonly target: string;
	readonly host: string | undefined;
	readonly origin: string | undefined;
	readonly authorization: string | undefined;
	readonly remoteAddress: string | undefined;
};

/** The readers of the metrics: nobody, programs on this machine, or clients with the token (docs/endpoint.md, Metrics). */
export type MetricsRule =
	| {readonly kind: 'off'}
	| {readonly kind: 'loopback'}
	| {readonly kind: 'token'; readonly token: string};

/** The access rules. */
export type EndpointRules<Client extends {readonly token: string}> = {
	/** The host the listener is bound to. */
	readonly host: string;
	/** The clients of a profile, each with its token; without a name, of the first profile. */
	readonly clientsOf: (profile: string | undefined) => readonly Client[] | undefined;
	readonly metrics: MetricsRule;
};

type RequestAccess<Client> =
	| {readonly kind: 'tools'; readonly client: Client}
	| {readonly kind: 'metrics'}
	| {readonly kind: 'refused'; readonly status: 401 | 403 | 404; readonly message: string};

const loopbackNames = ['localhost', '127.0.0.1', '[::1]'];
/** Hosts that nearly every client sends, recognized without parsing an address. */
const loopbackHost = /^(?:localhost|127\.0\.0\.1|\[::1\])(?::\d{1,5})?$/u;
const everyAddress = ['0.0.0.0', '::', ''];

/**
Authorizes a request by its head: foreign Host and Origin (DNS rebinding), path, bearer token. The paths are
`/mcp`, `/p/<profile>/mcp` and `/metrics`. Forwarded-for headers are ignored.
*/
export function authorizeRequest<Client extends {readonly token: string}>(
	head: RequestHead,
	rules: EndpointRules<Client>,
): RequestAccess<Client> {
	if (!isKnownHost(head.host, rules.host)) {
		return {kind: 'refused', status: 403, message: 'Host not allowed'};
	}

	if (head.origin !== undefined && !isKnownOrigin(head.origin, rules.host)) {
		return {kind: 'refused', status: 403, message: 'Origin not allowed'};
	}

	const path = head.target.split('?', 1)[0] ?? '';
	if (path === '/metrics') {
		return authorizeMetrics(head, rules.metrics);
	}

	const found = /^(?:\/p\/([\w-]+))?\/mcp$/u.exec(path);
	const clients = found ? rules.clientsOf(found[1]) : undefined;
	if (!clients) {
		return notFound;
	}

	// All are compared, so that the time says nothing about their order.
	const [client] = clients.filter(({token}) => hasToken(head, token));
	return client ? {kind: 'tools', client} : unauthorized;
}

const notFound = {kind: 'refused', status: 404, message: 'Not found'} as const;
const unauthorized = {kind: 'refused', status: 401, message: 'A valid bearer token is needed'} as const;

function authorizeMetrics(head: RequestHead, rule: MetricsRule): RequestAccess<never> {
	switch (rule.kind) {
		case 'off':
			return notFound;
		case 'loopback':
			return isLoopbackAddress(head.remoteAddress)
				? {kind: 'metrics'}
				: {kind: 'refused', status: 403, message: 'Only from this machine, unless metrics.token is set'};
		case 'token':
			return hasToken(head, rule.token) ? {kind: 'metrics'} : unauthorized;
	}
}

/** A listener on all addresses can have any host name; then the token alone protects it. */
function isKnownHost(host: string | undefined, boundTo: string): boolean {
	return (
		everyAddress.includes(boundTo) ||
		loopbackHost.test(host ?? '') ||
		knownNames(boundTo).includes(nameIn(`http://${host ?? ''}`))
	);
}

function isKnownOrigin(origin: string, boundTo: string): boolean {
	return /^https?:\/\//u.test(origin) && knownNames(boundTo).includes(nameIn(origin));
}

function knownNames(boundTo: string): readonly string[] {
	return [...loopbackNames, nameIn(boundTo.includes(':') ? `http://[${boundTo}]` : `http://${boundTo}`)].filter(
		name => name !== '',
	);
}

function nameIn(url: string): string {
	return URL.canParse(url) ? new URL(url).hostname : '';
}

function isLoopbackAddress(address = ''): boolean {
	return /^(?:::1|(?:::ffff:)?127\.\d+\.\d+\.\d+)$/u.test(address);
}

/** Compares digests, so that neither time nor length reveals anything about the token. */
function hasToken({authorization}: RequestHead, token: string): boolean {
	const given = /^Bearer +(\S+) *$/iu.exec(authorization ?? '')?.[1];
	return given !== undefined && token !== '' && timingSafeEqual(digest(given), digest(token));
}

function digest(text: string): Buffer {
	return hash('sha256', text, 'buffer');
}
