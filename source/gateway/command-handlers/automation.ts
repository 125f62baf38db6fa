import {enableWebhooks} from '../../config/edit/edit-config.ts';
import {type Command} from '../../state/command.ts';
import {Problem} from '../../util/problem.ts';
import {dryRunPage, eventPage} from '../event-page.ts';
import {type CommandTargets} from './command-targets.ts';

type WebhookCommand = Extract<
	Command,
	{
		type:
			| 'enable-webhooks'
			| 'set-route-paused'
			| 'show-event'
			| 'show-call'
			| 'show-decision'
			| 'show-delivery'
			| 'show-run'
			| 'show-trace'
			| 'dry-run-event'
			| 'replay-event'
			| 'dismiss-deliveries';
	}
>;

type RunCommand = Extract<
	Command,
	{type: 'start-run' | 'follow-up-run' | 'cancel-run' | 'answer-inbox' | 'close-inbox-item'}
>;

type CronCommand = Extract<Command, {type: 'run-job' | 'set-job-paused'}>;

/** Commands about the listener, its routes, stored events and failed deliveries. */
export async function handleWebhookCommand(
	command: WebhookCommand,
	{console, context, tools, events, reload}: CommandTargets,
): Promise<void> {
	switch (command.type) {
		case 'enable-webhooks':
			await enableWebhooks(context);
			await reload();
			return;
		case 'set-route-paused':
			await events.setRoutePaused(command.route, command.paused);
			await reload();
			return;
		case 'show-event':
			console.show(
				eventPage(await find(command.eventId, events), {part: command.part, redact: context.redactor.redact}),
			);
			return;
		case 'show-call':
			console.show(await events.showCall(command.callId, command.part));
			return;
		case 'show-decision':
			console.show(await events.showDecision(command.id, command.part));
			return;
		case 'show-delivery':
			console.show(await events.showDelivery(command.id, command.part));
			return;
		case 'show-run':
			console.show(await events.showRun(command.runId, command.part));
			return;
		case 'show-trace':
			console.show({type: 'view.trace', ...(await events.showTrace(command, tools.requests.approvals()))});
			return;
		case 'dry-run-event':
			console.show(dryRunPage(command.eventId, await events.dryRun(command.eventId)));
			return;
		case 'replay-event':
			// How it ended is a row of its own, which says of what it is a replay.
			await events.replay(command.eventId);
			return;
		case 'dismiss-deliveries':
			await events.dismissDeliveries(command.ids);
	}
}

async function find(id: string, {show}: Pick<CommandTargets['events'], 'show'>) {
	const event = await show(id);
	if (!event) {
		throw new Problem('unknown_event');
	}

	return event;
}

/** Commands about runs and the inbox. */
export async function handleRunCommand(command: RunCommand, {context, events}: CommandTargets): Promise<void> {
	const {controller, inbox} = events.runs;
	switch (command.type) {
		case 'close-inbox-item':
			return inbox.close(command.runId);
		case 'answer-inbox':
			// Why it was not delivered is an event of its own.
			await inbox.answer(command.runId, command.text);
			return;
		case 'start-run':
			await controller.start(command.prompt, context.paths.profile);
			return;
		case 'follow-up-run':
			return controller.followUp(command.runId, command.prompt);
		case 'cancel-run':
			return controller.cancel(command.runId);
	}
}

/** Commands about cron jobs. */
export async function handleCronCommand(command: CronCommand, {cron}: CommandTargets): Promise<void> {
	switch (command.type) {
		case 'run-job':
			// Why it was dropped is an event of its own.
			await cron.fire(command.id, {kind: 'dashboard'});
			return;
		case 'set-job-paused':
			await cron.change(command.id, command.paused ? 'pause' : 'resume');
	}
}
