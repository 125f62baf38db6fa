import {type Outcome} from '../http/outcome.ts';
import {type PreparedRoute} from '../routes/prepared-route.ts';
import {type RequestHeaders, type RequestPath} from '../http/incoming-request.ts';
import {type PendingSignature} from '../signature/signature.ts';

/** What is known before the body: the route that was asked for, if it may be asked that way. */
export type RequestHead = {
	readonly path: RequestPath;
	readonly method: string;
	readonly headers: RequestHeaders;
	/** Path and query as they were sent. */
	readonly target: string;
	readonly route: PreparedRoute | undefined;
};

/** A request whose body may be read. Without a claim the route asks for none. */
export type AcceptedHeaders = {
	readonly kind: 'admitted';
	readonly route: PreparedRoute;
	readonly signature: PendingSignature | undefined;
};

/**
The steps before the body, in order (docs/webhooks.md, Order of checks): route and profile, method, declared size, signature header and its timestamp.
What is refused here costs no reading.
*/
export function checkHeaders(
	head: RequestHead,
	limits: {readonly maxBodyBytes: number; readonly now: number},
): AcceptedHeaders | Outcome {
	const {path, method, headers, target, route} = head;
	if (path.kind === 'health') {
		return method === 'GET' || method === 'HEAD' ? {kind: 'health'} : {kind: 'wrong-method', allow: 'GET, HEAD'};
	}

	if (!route) {
		return {kind: 'unknown-route', name: path.name};
	}

	if (method !== 'POST') {
		return {kind: 'wrong-method', allow: 'POST'};
	}

	if (Number(headers.get('content-length') ?? 0) > limits.maxBodyBytes) {
		return {kind: 'too-large'};
	}

	if (route.auth.kind === 'unsafe-none') {
		return {kind: 'admitted', route, signature: undefined};
	}

	const signature = route.auth.verify({headers, target}, limits.now);
	return signature ? {kind: 'admitted', route, signature} : {kind: 'invalid-signature'};
}
