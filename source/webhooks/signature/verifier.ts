import {type RequestHeaders} from '../http/request-headers.ts';
import {hasItsId, isFresh, isSigned, readSignature, type SignatureHeaders} from './signature.ts';
import {type SigningKey} from './signing-key.ts';

/** What the headers claim about who signed: fresh, and still to be held against the body. */
export type PendingSignature = {
	/** `legacy`: a scheme without replay protection that is told about. */
	readonly scheme: 'legacy' | 'current';
	/** What decided, as a person knows it: the name of the scheme or of its header. */
	readonly name: string;
	/** The delivery id that is signed with the body; absent: the scheme signs none. */
	readonly signedId?: string;
	/** True when the claim was made over exactly these bytes. Never throws. */
	readonly isSigned: (body: Uint8Array) => boolean;
};

/** What of a request may be signed beside its body. `target` is its path with the query, as it was sent. */
export type SignedRequest = {readonly headers: RequestHeaders; readonly target: string};

/** Reads what comes before the body; undefined when there is no signature, it lacks its id or its timestamp is not fresh. `now` is milliseconds since the epoch. */
export type Verifier = (request: SignedRequest, now: number) => PendingSignature | undefined;

/** The verifier of a route that takes all schemes of the specification. */
export function createVerifier(keys: readonly SigningKey[]): Verifier {
	return ({headers}, now) => {
		const signature = readSignature(headers);
		return signature && hasItsId(signature) && isFresh(signature, now)
			? {
					scheme: signature.scheme === 'generic-v1' ? 'legacy' : 'current',
					name: schemeNames[signature.scheme],
					...(signature.scheme === 'standard' && {signedId: signature.id}),
					isSigned: body => isSigned(signature, body, keys),
				}
			: undefined;
	};
}

const schemeNames: Readonly<Record<SignatureHeaders['scheme'], string>> = {
	standard: 'Standard Webhooks',
	hub: 'X-Hub-Signature-256',
	token: 'X-Gitlab-Token',
	'generic-v2': 'X-Webhook-Signature-V2',
	'generic-v1': 'X-Webhook-Signature',
};
