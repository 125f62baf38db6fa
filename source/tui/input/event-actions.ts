import {type GatewayCall} from '../../state/gateway-call.ts';
import {type FailedDeliveryRow, type Snapshot} from '../../state/snapshot.ts';
import {listedEvents} from '../../state/entities/older-events.ts';
import {shownId} from '../../util/id-part.ts';
import {type WebhookEvent, webhookEvent} from '../lists/event-rows.ts';
import {viewRows} from '../lists/view-rows.ts';
import {traceEntries} from '../pages/trace-page.ts';
import {failuresAt, pageCall} from '../pages/traced-row.ts';
import {
	refused,
	stay,
	type Step,
	type UiContext,
	type UiState,
	withCall,
	withMode,
	withToast,
} from '../state/ui-state.ts';
import {pickedId, pickedRoute} from '../state/selection.ts';
import {withPending} from './call-ends.ts';
import {confirmCall} from './confirm-actions.ts';
import {claimed, shownName} from '../../util/safe-text.ts';

/** The number of events that one yes replays. */
const maxReplays = 1000;

const notAnEvent = 'only an event from a webhook can be replayed or previewed';

/** Asks for a dry run of the picked event by its route. */
export function dryRun(ui: UiState, context: UiContext): Step {
	const event = pickedEvent(ui, context);
	if (!event) {
		return stay(withToast(ui, notAnEvent, 'busy'));
	}

	const {eventId, profile} = event;
	const subject = {kind: 'dry-run', eventId} as const;
	const page = withMode(ui, {kind: 'page', subject, profile, scroll: 0, behind: ui.mode});
	return withCall(page, pageCall(subject, profile), context);
}

/** Asks whether the picked event is to go through its route again. */
export function replayPicked(ui: UiState, context: UiContext): UiState {
	const event = pickedEvent(ui, context);
	return event
		? confirmCall(ui, {
				words: `Replay ${claimed('event', event.event) || 'the event'} of ${shownName(event.route)}? Its route will act on it again.`,
				call: {method: 'events.replay', params: {id: event.eventId}, profile: event.profile},
				pending: `replaying ${shownId(event.eventId)}`,
				next: 'behind',
			})
		: withToast(ui, notAnEvent, 'busy');
}

/** The same for an event whose id was typed. */
export function replayTyped(ui: UiState, eventId: string, context: UiContext): Step {
	return context.readOnly
		? refused(ui)
		: stay(
				confirmCall(ui, {
					words: `Replay the event ${eventId}? Its route will act on it again.`,
					call: {method: 'events.replay', params: {id: eventId}},
					pending: `replaying ${eventId}`,
					next: 'behind',
				}),
			);
}

/** Asks the gateway which events failed; the question about those that are shown follows with its result. */
export function findFailed(ui: UiState, context: UiContext): Step {
	const call: GatewayCall = {method: 'events.list', params: {status: 'failed', limit: maxReplays}};
	return withPending(ui, {pending: 'looking for failed events', call}, context);
}

/** Asks whether the failed ones of the events shown are to go through their routes again; `failed` are those of the journal, newest first. */
export function askReplayFailed(
	ui: UiState,
	failed: ReadonlyArray<{readonly id: string}>,
	{snapshot}: UiContext,
): UiState {
	const shown = new Set(shownEvents(ui, snapshot));
	const ids = failed.flatMap(({id}) => (shown.has(id) ? [id] : [])).toReversed();
	if (ids.length === 0) {
		return withToast(ui, 'none of the events shown has failed', 'busy');
	}

	const count = ids.length === 1 ? '1 failed event' : `${ids.length} failed events`;
	return ui.view === 'events' && ui.mode.kind === 'browse'
		? confirmCall(
				{...ui, toast: undefined},
				{
					words: `Replay ${count}? ${ids.length === 1 ? 'Its route' : 'Their routes'} will act on ${ids.length === 1 ? 'it' : 'them'} again.`,
					call: {method: 'events.replay-all', params: {ids}},
					pending: `replaying ${count}`,
					next: 'behind',
				},
			)
		: withToast(ui, `${count} found; E in the events asks again`, 'busy');
}

/** The ids of the webhook events that pass the filter of the list. */
function shownEvents({filters}: UiState, snapshot: Snapshot): readonly string[] {
	const rows = new Set(viewRows('events', snapshot, filters['events'] ?? '').map(({id}) => id));
	return listedEvents(snapshot).flatMap(event =>
		event.type === 'webhook.settled' && rows.has(String(event.seq)) ? [event.eventId] : [],
	);
}

/** Resumes the picked route, or asks whether it is to be paused: its senders would notice. */
export function pauseRoute(ui: UiState, context: UiContext): Step {
	const row = pickedRoute(ui, context.snapshot);
	if (!row) {
		return stay(ui);
	}

	const {route, profile} = row;
	switch (row.state) {
		case 'paused':
			return withPending(
				ui,
				{pending: `resuming ${route}`, call: {method: 'webhook.pause', params: {route, paused: false}, profile}},
				context,
			);
		case 'served':
			return stay(
				confirmCall(ui, {
					words: `Pause ${route}? Senders get a 503 and should retry later.`,
					call: {method: 'webhook.pause', params: {route, paused: true}, profile},
					pending: `pausing ${route}`,
					next: 'behind',
				}),
			);
		case 'failed':
		case 'skipped':
			return stay(withToast(ui, `${route} is not active: ${row.reason ?? 'see its details'}`, 'busy'));
	}
}

/** Opens the handshake window of the picked route. A confirmation that comes is asked about as a question. */
export function openHandshake(ui: UiState, context: UiContext): Step {
	const row = pickedRoute(ui, context.snapshot);
	if (!row) {
		return stay(ui);
	}

	const {route, profile} = row;
	const call: GatewayCall = {method: 'webhook.handshake', params: {route}, profile};
	return withPending(ui, {pending: `waiting 10 minutes for a confirmation on ${route}`, call}, context);
}

/** Asks whether the failed deliveries of the picked route, job or platform are to be dismissed. */
export function dismissDeliveries(ui: UiState, context: UiContext): UiState {
	const failed = pickedFailures(ui, context);
	const count = failed.reduce((sum, {failures}) => sum + failures, 0);
	const [first] = failed;
	return first
		? confirmCall(ui, {
				words: `Dismiss ${count.toLocaleString('en-US')} failed ${count === 1 ? 'delivery' : 'deliveries'}? Nothing is sent again; the next failure counts again.`,
				call: {method: 'deliveries.dismiss', params: {ids: failed.map(({id}) => id)}, profile: first.profile},
				pending: 'dismissing the failed deliveries',
				next: ui.view === 'you' ? 'list' : 'behind',
			})
		: withToast(ui, 'no delivery has failed here', 'busy');
}

/** The failed deliveries of the picked route, job or platform. */
export function pickedFailures(ui: UiState, {snapshot}: UiContext): readonly FailedDeliveryRow[] {
	return failuresAt(ui.view, pickedId(ui, snapshot), snapshot);
}

/** Turns on webhooks. */
export function enableWebhooks(ui: UiState, context: UiContext): Step {
	const {webhook} = context.snapshot;
	const call: GatewayCall = {method: 'webhook.enable', params: {}};
	return webhook.state === 'listening'
		? stay(ui)
		: withPending(ui, {pending: 'turning on webhooks', call, awaits: {kind: 'webhooks', before: webhook}}, context);
}

/** The event that began the open trace, or the picked one. */
export function pickedEvent(
	ui: UiState,
	{snapshot}: UiContext,
): Pick<WebhookEvent, 'eventId' | 'event' | 'route' | 'profile'> | undefined {
	const {mode} = ui;
	const traced = mode.kind === 'trace' ? traceEntries(mode, ui.view, snapshot).trace?.event : undefined;
	return traced && mode.kind === 'trace'
		? {eventId: traced.id, event: traced.event, route: traced.route, profile: mode.profile}
		: webhookEvent(pickedId(ui, snapshot), snapshot);
}
