import {type WebhookEvent, webhookEvent} from '../lists/event-rows.ts';
import {type PageSubject} from '../../state/view-event.ts';
import {confirmCommand} from './command-keys.ts';
import {pickedId, pickedServer} from '../state/selection.ts';
import {withCommand, type Step, stay, type UiContext, type UiState, withMode, withToast} from '../state/ui-state.ts';

/** What the server of the picked row wrote to stderr. */
export function serverLog(ui: UiState, context: UiContext): Step {
	const server = pickedServer(ui, context.snapshot);
	return server
		? withCommand(
				openPage(ui, {kind: 'server-log', server: server.server}),
				{type: 'show-server-log', server: server.server, profile: server.profile},
				context,
			)
		: stay(ui);
}

/** What a route would do with the picked event now. */
export function dryRun(ui: UiState, context: UiContext): Step {
	const event = pickedEvent(ui, context);
	return event
		? withCommand(
				openPage(ui, {kind: 'dry-run', eventId: event.eventId}),
				{type: 'dry-run-event', eventId: event.eventId, profile: event.profile},
				context,
			)
		: stay(withToast(ui, notAnEvent, 'busy'));
}

/** Asks whether the picked event is to go through its route again. */
export function replay(ui: UiState, context: UiContext): Step {
	const event = pickedEvent(ui, context);
	return stay(
		event
			? confirmCommand(ui, {
					words: `Replay this ${event.event} event of ${event.route}? Its route acts on it once more.`,
					command: {type: 'replay-event', eventId: event.eventId, profile: event.profile},
					doing: `replaying ${event.eventId}`,
					next: 'behind',
				})
			: withToast(ui, notAnEvent, 'busy'),
	);
}

const notAnEvent = 'this is for events that came in by webhook';

function pickedEvent(ui: UiState, {snapshot}: UiContext): WebhookEvent | undefined {
	return webhookEvent(pickedId(ui, snapshot), snapshot);
}

function openPage(ui: UiState, subject: PageSubject): UiState {
	return withMode(ui, {kind: 'page', subject, scroll: 0, behind: ui.mode});
}
