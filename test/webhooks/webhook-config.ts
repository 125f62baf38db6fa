import {type RouteConfig} from '../../source/config/webhooks/route-entry.ts';
import {type WebhookConfig} from '../../source/config/webhooks/webhook-entry.ts';
import {to} from '../helpers/destinations.ts';

/** A route as the configuration would read it, without a signature unless a test gives secrets. */
export function route(changes: Partial<RouteConfig> & {readonly name: string}): RouteConfig {
	return {
		events: [],
		secrets: ['INSECURE_NO_AUTH'],
		filters: [],
		skills: [],
		deliver: to('log'),
		action: 'agent',
		enabled: true,
		...changes,
	};
}

/** A configuration on a free port of the loopback; without routes given, the open route `open`. */
export function webhookConfig(
	changes: {
		readonly routes?: ReadonlyArray<Partial<RouteConfig> & {readonly name: string}>;
		readonly rateLimit?: number;
		readonly maxBodyBytes?: number;
		readonly host?: string;
		readonly port?: number;
		readonly enabled?: boolean;
	} = {},
): WebhookConfig {
	return {
		enabled: changes.enabled ?? true,
		host: changes.host ?? '127.0.0.1',
		port: changes.port ?? 0,
		rateLimit: changes.rateLimit ?? 30,
		maxBodyBytes: changes.maxBodyBytes ?? 1_048_576,
		secrets: [],
		routes: (changes.routes ?? [{name: 'open'}]).map(route),
		brokenRoutes: [],
	};
}
