import {isFirstRun} from '../state/first-run.ts';
import {type CommandAction} from '../state/actions.ts';
import {cancelQuestion, leftPending} from '../state/leave-form.ts';
import {emptyField, type Question} from '../state/mode.ts';
import {pendingWork} from '../components/question-line.ts';
import {pickedId} from '../state/selection.ts';
import {serverId} from '../lists/server-rows.ts';
import {own} from '../text/own-signs.ts';
import {
	withCommand,
	refused,
	type Step,
	stay,
	type UiContext,
	type UiState,
	serverAwaited,
	withAwaited,
	withMode,
	withToast,
} from '../state/ui-state.ts';

/** What a window that may only look refuses at once. */
export const changes: readonly CommandAction[] = [
	'reconnect',
	'toggle-server',
	'add-server',
	'start-demo',
	'enable-webhooks',
];

/** The window after a key that sends a command to the core, or asks before it does. */
export function commandStep(ui: UiState, action: CommandAction, context: UiContext): Step {
	return context.readOnly && changes.includes(action) ? refused(ui) : allowedStep(ui, action, context);
}

function allowedStep(ui: UiState, action: CommandAction, context: UiContext): Step {
	switch (action) {
		case 'reconnect':
			return withServer(ui, context, server => reconnect(ui, server, context));
		case 'toggle-server':
			return withServer(ui, context, server => {
				const enabled = server.state === 'disabled';
				const {server: name, profile} = server;
				return stay(ask(ui, {kind: 'set-enabled', server: name, profile, enabled}));
			});
		case 'add-server':
			return stay(withMode(ui, {kind: 'add-server', step: 'name', name: '', field: emptyField, problem: ''}));
		case 'start-demo':
			return startDemo(ui, context);
		case 'enable-webhooks':
			return context.snapshot.webhook.state === 'listening'
				? stay(ui)
				: withCommand(
						withAwaited(ui, 'turning on webhooks', {kind: 'webhooks', before: context.snapshot.webhook}),
						{type: 'enable-webhooks'},
						context,
					);
		case 'confirm':
			return confirmed(ui, context);
		case 'refuse':
			return stay(refuse(ui));
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

	return context.snapshot.webhook.state === 'off' ? requestDemo(ui, context) : stay(ask(ui, {kind: 'start-demo'}));
}

function requestDemo(ui: UiState, context: UiContext): Step {
	return withCommand(withAwaited(ui, 'starting the demo', {kind: 'demo'}), {type: 'start-demo'}, context);
}

/** Asks for a server to be connected anew. */
export function reconnect(
	ui: UiState,
	{server, profile}: {readonly server: string; readonly profile?: string},
	context: UiContext,
): Step {
	return withCommand(
		withAwaited(ui, `reconnecting ${server}`, serverAwaited({server, profile}, context)),
		{type: 'reconnect-server', server, ...(profile !== undefined && {profile})},
		context,
	);
}

/** Puts a question in front of what is on the screen. */
export function ask(ui: UiState, question: Question): UiState {
	return withMode(ui, {kind: 'confirm', question, behind: ui.mode});
}

/** Puts a question in front of what is on the screen whose yes sends an order. */
export function confirmCommand(ui: UiState, question: Omit<Extract<Question, {kind: 'order'}>, 'kind'>): UiState {
	return ask(ui, {kind: 'order', ...question});
}

function withServer(
	ui: UiState,
	context: UiContext,
	act: (server: UiContext['snapshot']['servers'][number]) => Step,
): Step {
	const id = pickedId(ui, context.snapshot);
	const server = context.snapshot.servers.find(row => serverId(row) === id);
	return server ? act(server) : stay(ui);
}

function refuse(ui: UiState): UiState {
	if (ui.mode.kind !== 'confirm') {
		return ui;
	}

	const {question, behind} = ui.mode;
	return question.kind === 'cancel-question' ? leftPending(ui) : withMode(ui, behind);
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
		case 'suspend':
			return stay({...back, suspends: back.suspends + 1});
		case 'set-enabled': {
			const {server, profile, enabled} = question;
			return withCommand(
				withAwaited(back, `${enabled ? 'enabling' : 'disabling'} ${server}`, serverAwaited({server, profile}, context)),
				{type: 'set-server-enabled', server, enabled, profile},
				context,
			);
		}

		case 'start-demo':
			return requestDemo(back, context);
		case 'cancel-question':
			return cancelQuestion(ui, question.form, context);
		case 'order': {
			const after = question.next === 'list' ? withMode(ui, {kind: 'browse'}) : back;
			return withCommand(withToast(after, question.doing), question.command, context);
		}
	}
}

/** Quits, after asking when something would be cut off. A second time stops at once. */
function quit(ui: UiState, context: UiContext): Step {
	if (ui.stopping) {
		return stop(ui, true, context);
	}

	return pendingWork(context.snapshot).length > 0 ? stay(ask(ui, {kind: 'quit'})) : stop(ui, false, context);
}

function stop(ui: UiState, force: boolean, context: UiContext): Step {
	const stopping = withToast(
		{...ui, stopping: true, mode: {kind: 'browse'}},
		own`stopping · ctrl+c stops at once`,
		'busy',
	);
	return withCommand(stopping, {type: 'stop', force}, context);
}
