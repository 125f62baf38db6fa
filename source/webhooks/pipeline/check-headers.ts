import {type IncomingRequest} from '../http/incoming-request.ts';
import {type Outcome} from '../http/outcome.ts';
import {type PreparedRoute} from '../routes/prepared-route.ts';
import {type PendingSignature} from '../signature/signature.ts';

/** A request whose body may be read. No signature: the route requires none. */
export type AcceptedHeaders = {
	readonly route: PreparedRoute;
	readonly signature: PendingSignature | undefined;
};

/** A request that verifies the URL of a route by a parameter. */
type AnsweredChallenge = {readonly kind: 'challenged'; readonly route: PreparedRoute; readonly outcome: Outcome};

/**
The checks before the body, in order (docs/webhooks.md, Order of checks): route and profile, method, declared size, signature header and its timestamp.
The body of a request refused here is never read. `route` is the requested one, if this path may request it.
*/
export function checkHeaders(
	{path, method, headers, target}: Omit<IncomingRequest, 'body' | 'invite' | 'closed'>,
	route: PreparedRoute | undefined,
	limits: {readonly maxBodyBytes: number; readonly now: number},
): (AcceptedHeaders & {readonly kind: 'headers-accepted'}) | AnsweredChallenge | Outcome {
	if (path.kind === 'health' || path.kind === 'ready') {
		return method === 'GET' || method === 'HEAD' ? {kind: path.kind} : {kind: 'wrong-method', allow: 'GET, HEAD'};
	}

	if (!route) {
		return {kind: 'unknown-route', name: path.name};
	}

	const challenge = route.answerChallenge(method, target);
	if (challenge) {
		return {kind: 'challenged', route, outcome: challenge};
	}

	if (method !== 'POST') {
		return {kind: 'wrong-method', allow: route.allow};
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
