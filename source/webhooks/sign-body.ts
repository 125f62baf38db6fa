import {createHmac} from 'node:crypto';
import {insecureSecret, isUnresolved} from '../config/refusals.ts';
import {type RouteConfig} from '../config/route-entry.ts';
import {readSigningKey} from './signing-key.ts';

/** The headers that make `body` a signed request of the route: Generic V2 with its first usable secret (spec/webhooks.md, Authentication). Undefined: it has none. */
export function signBody(
	body: string,
	route: Pick<RouteConfig, 'secrets' | 'profile'>,
	options: {readonly expand: (text: string, profile?: string) => string; readonly now: number},
): Readonly<Record<string, string>> | undefined {
	const secrets = route.secrets.map(secret => options.expand(secret, route.profile));
	if (secrets.includes(insecureSecret)) {
		return {};
	}

	const key = secrets.filter(secret => !isUnresolved(secret)).flatMap(secret => readSigningKey(secret) ?? [])[0];
	const timestamp = String(Math.floor(options.now / 1000));
	return (
		key && {
			'x-webhook-timestamp': timestamp,
			'x-webhook-signature-v2': createHmac('sha256', key.hmac).update(`${timestamp}.${body}`).digest('hex'),
		}
	);
}
