import {enableWebhooks} from '../../config/edit-config.ts';
import {type Command} from '../../state/command.ts';
import {type OrderTargets} from './order-targets.ts';
import {notBuiltYet} from './not-built-yet.ts';

type WebhookOrder = Extract<
	Command,
	{type: 'enable-webhooks' | 'set-route-paused' | 'show-event' | 'dry-run-event' | 'replay-event'}
>;

/** Orders about the listener, its routes and what came in. */
export async function webhookOrder(command: WebhookOrder, {foundation, reload}: OrderTargets): Promise<void> {
	switch (command.type) {
		case 'enable-webhooks':
			await enableWebhooks(foundation.paths);
			await reload();
			return;
		case 'set-route-paused':
		case 'show-event':
		case 'dry-run-event':
		case 'replay-event':
			throw notBuiltYet(command);
	}
}
