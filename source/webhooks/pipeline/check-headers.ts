import {type IncomingRequest} from '../http/incoming-request.ts';
import {type Outcome} from '../http/outcome.ts';
import {type PreparedRoute} from '../routes/prepared-route.ts';
import {type PendingSignature} from '../signature/signature.ts';

/** A request whose body may be read. Without a signature the route asks for none. */
export type AcceptedHeaders = {
	readonly route: PreparedRoute;
	readonly signature: PendingSignature | undefined;
};

/**
The steps before the body, in order (docs/webhooks.md, Order of checks): route and profile, method, declared size, signature header and its timestamp.
What is refused here costs no reading. `route` is the one that was asked for, if it may be asked that way.
*/
export function checkHeaders(
	{path, method, headers, target}: Omit<IncomingRequest, 'body' | 'invite'>,
	route: PreparedRoute | undefined,
	limits: {readonly maxBodyBytes: number; readonly now: number},
): (AcceptedHeaders & {readonly kind: 'headers-accepted'}) | Outcome {
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
		return {kind: 'headers-accepted', route, signature: undefined};
	}

	const signature = route.auth.verify({headers, target}, limits.now);
	return signature ? {kind: 'headers-accepted', route, signature} : {kind: 'invalid-signature'};
}
