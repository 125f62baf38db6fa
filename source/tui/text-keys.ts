import {nameProblem, parseNewServer} from './add-server.ts';
import {ask, reconnect} from './order-keys.ts';
import {parseCommand, suggestedCommands} from './palette.ts';
import {denyWithMessage} from './review-keys.ts';
import {
	isTextMode,
	order,
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
import {type Action} from './keymap.ts';

/** Carries out an action that was typed as a word. */
export type Act = (ui: UiState, action: Action, context: UiContext) => Step;

/** The window after a text changed. A line break in it ends the field: chunks may carry one. */
export function changeText(ui: UiState, text: string): UiState {
	const {mode} = ui;
	if (!isTextMode(mode) || mode.field.value === text) {
		return ui;
	}

	const changed = withMode(ui, {...mode, field: {...mode.field, value: text}});
	return mode.kind === 'filter' ? {...changed, filters: {...ui.filters, [ui.view]: text}} : changed;
}

/** The window after a text was set from outside the input component, which then starts anew from it. */
export function replaceText(ui: UiState, text: string): UiState {
	const changed = changeText(ui, text);
	const {mode} = changed;
	return isTextMode(mode)
		? withMode(changed, {...mode, field: {value: text, revision: mode.field.revision + 1}})
		: changed;
}

/** The window after tab: the typed command completed. */
export function completeText(ui: UiState, context: UiContext): UiState {
	if (ui.mode.kind !== 'palette') {
		return ui;
	}

	const {value} = ui.mode.field;
	const found = suggestedCommands(value, context.snapshot).find(command => command.startsWith(value));
	return value === '' || found === undefined ? ui : replaceText(ui, found);
}

/** The window after enter in a text field. */
export function submitText(ui: UiState, typed: {readonly text: string; readonly act: Act}, context: UiContext): Step {
	const {mode} = ui;
	const text = typed.text.trim();
	switch (mode.kind) {
		case 'palette':
			return text === '' ? stay(browse(ui)) : runCommand(browse(ui), {...typed, text}, context);
		case 'filter':
			return /^\/?reload-mcp$/u.test(text)
				? runCommand(browse(changeText(ui, '')), {...typed, text}, context)
				: stay(browse(changeText(ui, text)));
		case 'deny-message':
			return denyWithMessage(ui, text, context);
		case 'add-server':
			return mode.step === 'name' ? stay(submitName(ui, text, context)) : submitAddress(ui, text, context);
		case 'browse':
		case 'detail':
		case 'review':
		case 'confirm':
		case 'help':
			return stay(ui);
	}
}

function browse(ui: UiState): UiState {
	return withMode(ui, {kind: 'browse'});
}

function runCommand(ui: UiState, typed: {readonly text: string; readonly act: Act}, context: UiContext): Step {
	const command = parseCommand(typed.text);
	switch (command.kind) {
		case 'action':
			return typed.act(ui, command.action, context);
		case 'reload':
			return order(withToast(ui, 'reloading the configuration'), {type: 'reload'}, context);
		case 'reconnect':
			return reconnect(ui, command.server, context);
		case 'enable':
		case 'disable':
			return context.readOnly
				? refused(ui)
				: stay(ask(ui, {kind: 'set-enabled', server: command.server, enabled: command.kind === 'enable'}));
		case 'unknown':
			return stay(withToast(ui, `unknown command: ${command.text}`, 'busy'));
	}
}

function submitName(ui: UiState, name: string, context: UiContext): UiState {
	if (ui.mode.kind !== 'add-server') {
		return ui;
	}

	const problem = nameProblem(
		name,
		context.snapshot.servers.map(row => row.server),
	);
	return problem === undefined
		? withMode(ui, {
				...ui.mode,
				step: 'address',
				name,
				problem: '',
				field: {value: '', revision: ui.mode.field.revision + 1},
			})
		: withMode(ui, {...ui.mode, problem});
}

function submitAddress(ui: UiState, text: string, context: UiContext): Step {
	if (ui.mode.kind !== 'add-server') {
		return stay(ui);
	}

	const typed = parseNewServer(ui.mode.name, text);
	return typed.kind === 'problem'
		? stay(withMode(ui, {...ui.mode, problem: typed.text}))
		: order(
				withAwaited(browse(ui), `adding ${ui.mode.name}`, serverAwaited(ui.mode.name, context)),
				{type: 'add-server', server: typed.server},
				context,
			);
}
