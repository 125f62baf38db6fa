import {type WebhookConfig} from '../../config/webhooks/webhook-entry.ts';
import {webhookPath} from '../../webhooks/http/incoming-request.ts';
import {baseAddress} from '../../util/http-server.ts';
import {type CommandContext} from '../cli/command.ts';
import {withClient} from '../cli/connect-gateway.ts';

/** The receiver's address in the running gateway (null: none); undefined if no gateway runs. */
export function runningReceiver(context: CommandContext): Promise<{readonly url: string | null} | undefined> {
	return withClient(context, async client => {
		const status = await client?.call('status', {}, {signal: context.signal});
		return status && {url: status.webhook_url};
	});
}

/** The base address of the receiver: of the running gateway, or by the configuration. */
export async function webhookBase(context: CommandContext, webhook: WebhookConfig): Promise<string> {
	return (await runningReceiver(context))?.url ?? baseAddress(webhook);
}

/** The address to which senders post for this route. */
export async function webhookUrl(
	context: CommandContext,
	webhook: WebhookConfig,
	route: {readonly name: string; readonly profile?: string},
): Promise<string> {
	return `${await webhookBase(context, webhook)}${webhookPath(route)}`;
}
