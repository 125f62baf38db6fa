import {type WebhookConfig} from '../../config/webhooks/webhook-entry.ts';
import {webhookPath} from '../../webhooks/http/incoming-request.ts';
import {type CommandContext} from '../cli/command.ts';
import {connectGateway} from '../cli/connect-gateway.ts';

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

/** Where senders post to this route. */
export async function webhookUrl(
	context: CommandContext,
	webhook: WebhookConfig,
	route: {readonly name: string; readonly profile?: string},
): Promise<string> {
	return `${await webhookBase(context, webhook)}${webhookPath(route)}`;
}

/** Every address of a host is reached by its loopback. */
const loopbackOf: Readonly<Record<string, string>> = {'0.0.0.0': '127.0.0.1', '::': '::1'};

function configuredBase({host, port}: Pick<WebhookConfig, 'host' | 'port'>): string {
	const reached = loopbackOf[host] ?? host;
	return `http://${reached.includes(':') ? `[${reached}]` : reached}:${port}`;
}
