import {type Outcome} from './outcome.ts';
import {type PreparedRoute} from './prepared-route.ts';
import {type RequestHeaders} from './request-headers.ts';
import {type RequestPath} from './request-path.ts';
import {type Claim} from './verifier.ts';

/** What is known before the body: the route that was asked for, if it may be asked that way. */
export type Arrival = {
	readonly path: RequestPath;
	readonly method: string;
	readonly headers: RequestHeaders;
	/** Path and query as they were sent. */
	readonly target: string;
	readonly route: PreparedRoute | undefined;
};

/** A request whose body may be read. Without a claim the route asks for none. */
export type Admission = {
	readonly kind: 'admitted';
	readonly route: PreparedRoute;
	readonly claim: Claim | undefined;
};

/**
The rungs before the body, in order (spec/decisions.md, D8 Order): route and profile, method, declared size, signature header and its timestamp.
What is refused here costs no reading.
*/
export function admit(
	arrival: Arrival,
	limits: {readonly maxBodyBytes: number; readonly now: number},
): Admission | Outcome {
	const {path, method, headers, target, route} = arrival;
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

	if (route.gate.kind === 'unsafe-none') {
		return {kind: 'admitted', route, claim: undefined};
	}

	const claim = route.gate.verify({headers, target}, limits.now);
	return claim ? {kind: 'admitted', route, claim} : {kind: 'invalid-signature'};
}
