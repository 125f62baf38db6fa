import {type RouteConfig} from '../config/route-entry.ts';
import {type WebhookConfig} from '../config/webhook-entry.ts';
import {type CommandContext} from './command-context.ts';
import {connectGateway} from './connect-gateway.ts';

/** The path that senders post to (spec/webhooks.md, Endpoints): a route that names its profile has the profile's prefix. */
export function webhookPath({name, profile}: Pick<RouteConfig, 'name' | 'profile'>): string {
	const prefix = profile === undefined ? '' : `/p/${encodeURIComponent(profile)}`;
	return `${prefix}/webhooks/${encodeURIComponent(name)}`;
}

/** Where the running gateway listens (null: nowhere); undefined when none runs. */
export async function runningReceiver(context: CommandContext): Promise<{readonly url: string | null} | undefined> {
	const client = await connectGateway(context);
	if (!client) {
		return undefined;
	}

	try {
		return {url: (await client.call('status', {}, {signal: context.signal})).webhook_url};
	} finally {
		client.close();
	}
}

/** Where the receiver listens, or will by the configuration. */
export async function webhookBase(context: CommandContext, webhook: WebhookConfig): Promise<string> {
	return (await runningReceiver(context))?.url ?? configuredBase(webhook);
}

/** Every address of a host is reached by its loopback. */
const loopbackOf: Readonly<Record<string, string>> = {'0.0.0.0': '127.0.0.1', '::': '::1'};

function configuredBase({host, port}: Pick<WebhookConfig, 'host' | 'port'>): string {
	const reached = loopbackOf[host] ?? host;
	return `http://${reached.includes(':') ? `[${reached}]` : reached}:${port}`;
}
