import {createHmac} from 'node:crypto';
import {insecureSecret, isUnresolved} from '../../config/webhooks/refusals.ts';
import {type RouteConfig} from '../../config/webhooks/route-entry.ts';
import {type SignedPost, signByScheme} from './sign-by-scheme.ts';
import {readSigningKey} from './signing-key.ts';

/**
The request that a sender of the route would post with this body: signed by its scheme, else Generic V2, with its first usable secret
(docs/webhooks.md, Signatures). Undefined: the route has none. Throws `bad_usage` when only the sender can sign.
*/
export function signBody(
	body: string,
	route: Pick<RouteConfig, 'secrets' | 'profile' | 'signature'>,
	options: {
		readonly expand: (text: string, profile?: string) => string;
		readonly now: number;
		/** Where it is posted to, without a query. */
		readonly address: string;
	},
): SignedPost | undefined {
	const secrets = route.secrets.map(secret => options.expand(secret, route.profile));
	if (secrets.includes(insecureSecret)) {
		return {headers: {}, body, search: ''};
	}

	const usable = secrets.filter(secret => !isUnresolved(secret) && readSigningKey(secret) !== undefined);
	const [secret] = usable;
	if (secret === undefined) {
		return undefined;
	}

	return route.signature
		? signByScheme(body, {scheme: route.signature, secret}, options)
		: {headers: genericV2(body, secret, options.now), body, search: ''};
}

function genericV2(body: string, secret: string, now: number): Readonly<Record<string, string>> {
	const key = readSigningKey(secret);
	const timestamp = String(Math.floor(now / 1000));
	return key
		? {
				'x-webhook-timestamp': timestamp,
				'x-webhook-signature-v2': createHmac('sha256', key.hmac).update(`${timestamp}.${body}`).digest('hex'),
			}
		: {};
}
