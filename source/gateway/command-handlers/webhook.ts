import {enableWebhooks} from '../../config/edit/edit-config.ts';
import {type Command} from '../../state/command.ts';
import {Problem} from '../../util/problem.ts';
import {dryRunPage, eventPage} from '../event-page.ts';
import {type CommandTargets} from './command-targets.ts';

type WebhookCommand = Extract<
	Command,
	{type: 'enable-webhooks' | 'set-route-paused' | 'show-event' | 'dry-run-event' | 'replay-event'}
>;

/** Orders about the listener, its routes and what came in. */
export async function handleWebhookCommand(
	command: WebhookCommand,
	{context, events, reload}: CommandTargets,
): Promise<void> {
	switch (command.type) {
		case 'enable-webhooks':
			await enableWebhooks(context.paths);
			await reload();
			return;
		case 'set-route-paused':
			await events.setRoutePaused(command.route, command.paused);
			await reload();
			return;
		case 'show-event':
			context.publish(eventPage(await find(command.eventId, events)));
			return;
		case 'dry-run-event':
			context.publish(dryRunPage(command.eventId, await events.dryRun(command.eventId)));
			return;
		case 'replay-event':
			// How it ended is a row of its own, which says of what it is a replay.
			await events.replay(command.eventId);
	}
}

async function find(id: string, {show}: Pick<CommandTargets['events'], 'show'>) {
	const event = await show(id);
	if (!event) {
		throw new Problem('unknown_event');
	}

	return event;
}
