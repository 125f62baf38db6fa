import {type ServerRow, type Snapshot} from '../state/snapshot.ts';
import {isFirstRun} from './first-run.ts';
import {type OrderAction} from './keymap.ts';
import {selectedRow} from './selection.ts';
import {serverId} from './server-rows.ts';
import {
	emptyField,
	order,
	type Question,
	refused,
	type Step,
	stay,
	type UiContext,
	type UiState,
	serverAwaited,
	withAwaited,
	withMode,
	withToast,
} from './ui-state.ts';

/** What a window that may only look refuses at once. */
export const changes: readonly OrderAction[] = [
	'reconnect',
	'toggle-server',
	'add-server',
	'start-demo',
	'enable-webhooks',
	'close-item',
];

/** The window after a key that orders something, or asks before it does. */
export function orderStep(ui: UiState, action: OrderAction, context: UiContext): Step {
	return context.readOnly && changes.includes(action) ? refused(ui) : allowedStep(ui, action, context);
}

function allowedStep(ui: UiState, action: OrderAction, context: UiContext): Step {
	switch (action) {
		case 'reconnect':
			return withServer(ui, context, server => reconnect(ui, server.server, context));
		case 'toggle-server':
			return withServer(ui, context, server => {
				const enabled = server.state === 'disabled';
				return stay(ask(ui, {kind: 'set-enabled', server: server.server, enabled}));
			});
		case 'add-server':
			return stay(withMode(ui, {kind: 'add-server', step: 'name', name: '', field: emptyField, problem: ''}));
		case 'start-demo':
			return startDemo(ui, context);
		case 'enable-webhooks':
			return context.snapshot.webhook.state === 'listening'
				? stay(ui)
				: order(
						withAwaited(ui, 'turning on webhooks', {kind: 'webhooks', before: context.snapshot.webhook}),
						{type: 'enable-webhooks'},
						context,
					);
		case 'close-item':
			return closeItem(ui, context);
		case 'confirm':
			return confirmed(ui, context);
		case 'refuse':
			return stay(ui.mode.kind === 'confirm' ? withMode(ui, ui.mode.behind) : ui);
		case 'quit':
			return quit(ui, context);
		case 'force-quit':
			return stop(ui, true, context);
	}
}

/** The demo takes the gateway's place: asked first as soon as there is something to lose. */
function startDemo(ui: UiState, context: UiContext): Step {
	if (!isFirstRun(context.snapshot)) {
		return stay(withToast(ui, 'the demo starts from an empty gateway: sluice --demo', 'busy'));
	}

	return context.snapshot.webhook.state === 'off' ? orderDemo(ui, context) : stay(ask(ui, {kind: 'start-demo'}));
}

function orderDemo(ui: UiState, context: UiContext): Step {
	return order(withAwaited(ui, 'starting the demo', {kind: 'demo'}), {type: 'start-demo'}, context);
}

/** Asks for a server to be connected anew. */
export function reconnect(ui: UiState, server: string, context: UiContext): Step {
	return order(
		withAwaited(ui, `reconnecting ${server}`, serverAwaited(server, context)),
		{type: 'reconnect-server', server},
		context,
	);
}

/** Puts a question in front of what is on the screen. */
export function ask(ui: UiState, question: Question): UiState {
	return withMode(ui, {kind: 'confirm', question, behind: ui.mode});
}

/** How much a stop would cut off. */
export function pendingWork(snapshot: Snapshot): {readonly approvals: number; readonly runs: number} {
	const runs = snapshot.runs.filter(run => run.state === 'running' || run.state === 'queued').length;
	return {approvals: snapshot.approvals.length, runs};
}

function withServer(ui: UiState, context: UiContext, act: (server: ServerRow) => Step): Step {
	const id = ui.mode.kind === 'detail' ? ui.mode.id : selectedRow(ui, context.snapshot)?.id;
	const server = context.snapshot.servers.find(row => serverId(row) === id);
	return server ? act(server) : stay(ui);
}

function closeItem(ui: UiState, context: UiContext): Step {
	const id = ui.mode.kind === 'detail' ? ui.mode.id : selectedRow(ui, context.snapshot)?.id;
	const run = context.snapshot.runs.find(row => row.runId === id);
	return stay(
		run?.state === 'inbox'
			? ask(ui, {kind: 'close-item', runId: run.runId})
			: withToast(ui, 'only inbox items can be closed', 'busy'),
	);
}

function confirmed(ui: UiState, context: UiContext): Step {
	if (ui.mode.kind !== 'confirm') {
		return stay(ui);
	}

	const {question, behind} = ui.mode;
	const back = withMode(ui, behind);
	switch (question.kind) {
		case 'quit':
			return stop(ui, false, context);
		case 'set-enabled':
			return order(
				withAwaited(
					back,
					`${question.enabled ? 'enabling' : 'disabling'} ${question.server}`,
					serverAwaited(question.server, context),
				),
				{type: 'set-server-enabled', server: question.server, enabled: question.enabled},
				context,
			);
		case 'start-demo':
			return orderDemo(back, context);
		case 'close-item':
			return order(
				withToast(withMode(ui, {kind: 'browse'}), 'closing the inbox item'),
				{type: 'close-inbox-item', runId: question.runId},
				context,
			);
	}
}

/** Quits, after asking when something would be cut off. A second time stops at once. */
function quit(ui: UiState, context: UiContext): Step {
	if (ui.stopping) {
		return stop(ui, true, context);
	}

	const {approvals, runs} = pendingWork(context.snapshot);
	return approvals + runs > 0 ? stay(ask(ui, {kind: 'quit'})) : stop(ui, false, context);
}

function stop(ui: UiState, force: boolean, context: UiContext): Step {
	const stopping = withToast(
		{...ui, stopping: true, mode: {kind: 'browse'}},
		'stopping · ctrl+c stops at once',
		'busy',
	);
	return order(stopping, {type: 'stop', force}, context);
}
