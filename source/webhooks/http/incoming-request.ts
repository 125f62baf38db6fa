import {type IncomingHttpHeaders} from 'node:http';
import {type Readable} from 'node:stream';
import {memoize} from '../../util/memoize.ts';

/** A request whose headers have arrived. Its body is not read yet. */
export type IncomingRequest = {
	readonly method: string;
	readonly path: RequestPath;
	/** Path and query, unmodified. */
	readonly target: string;
	readonly headers: RequestHeaders;
	readonly body: Readable;
	/** Sends 100 Continue to a sender that waits for it before the body. */
	readonly invite: () => void;
	/** Aborts when the connection is closed. Absent: nobody waits for the response. */
	readonly closed?: () => AbortSignal;
};

/** Request headers by lower-case name. A map, because outsiders and configurations choose the names. */
export type RequestHeaders = ReadonlyMap<string, string>;

/** The headers as Node.js parsed them, repeated ones joined by `, `. */
export function requestHeaders(headers: IncomingHttpHeaders): RequestHeaders {
	const texts = new Map<string, string>();
	for (const name of Object.keys(headers)) {
		const value = headers[name];
		texts.set(name, Array.isArray(value) ? value.join(', ') : (value ?? ''));
	}

	return texts;
}

/** The target of a request's path. `name` of a route is decoded; of anything else it is the path itself. */
type RequestPath =
	| {readonly kind: 'health'}
	| {readonly kind: 'ready'}
	| {readonly kind: 'route'; readonly name: string; readonly profile: string | undefined}
	| {readonly kind: 'other'; readonly name: string};

/** Parses `/health`, `/ready`, `/webhooks/<route>` and `/p/<profile>/webhooks/<route>` (docs/webhooks.md, Answers). Never throws. */
export function readRequestPath(url: string): RequestPath {
	const end = url.indexOf('?');
	return readPath(end === -1 ? url : url.slice(0, end));
}

/** Almost all requests go to one of a few routes. */
const readPath = memoize((path): RequestPath => {
	if (path === '/health' || path === '/ready') {
		return {kind: path === '/health' ? 'health' : 'ready'};
	}

	const segments = path.split('/').map(decodeSegment);
	if (segments.length === 3 && segments[1] === 'webhooks') {
		return {kind: 'route', name: segments[2] ?? '', profile: undefined};
	}

	if (segments.length === 5 && segments[1] === 'p' && segments[3] === 'webhooks') {
		return {kind: 'route', name: segments[4] ?? '', profile: segments[2]};
	}

	return {kind: 'other', name: path};
});

/** The path for senders: a route that names its profile has the profile's prefix. */
export function webhookPath({name, profile}: {readonly name: string; readonly profile?: string}): string {
	const prefix = profile === undefined ? '' : `/p/${encodeURIComponent(profile)}`;
	return `${prefix}/webhooks/${encodeURIComponent(name)}`;
}

/** A segment with invalid escapes stays undecoded, so it matches no route. */
function decodeSegment(segment: string): string {
	if (!segment.includes('%')) {
		return segment;
	}

	try {
		return decodeURIComponent(segment);
	} catch {
		return segment;
	}
}
