import {type Action} from '../state/actions.ts';
import {showAllTools} from './call-keys.ts';
import {confirmCommand} from './command-keys.ts';
import {parseCommand} from './palette.ts';
import {startPickedRun} from './run-keys.ts';
import {serverCommand} from './server-command.ts';
import {
	withCommand,
	refused,
	type Step,
	stay,
	type UiContext,
	type UiState,
	withAwaited,
	withToast,
} from '../state/ui-state.ts';
import {withTheme} from './theme-actions.ts';

/** Carries out an action that was typed as a word. */
export type Act = (ui: UiState, action: Action, context: UiContext) => Step;

/** The window after a typed command. */
export function runCommand(ui: UiState, typed: {readonly text: string; readonly act: Act}, context: UiContext): Step {
	const command = parseCommand(typed.text);
	const newestLog = context.snapshot.log.at(-1)?.seq ?? 0;
	switch (command.kind) {
		case 'action':
			return typed.act(ui, command.action, context);
		case 'reload':
			return withCommand(
				withAwaited(ui, 'reloading the configuration', {kind: 'reload', after: newestLog}),
				{type: 'reload'},
				context,
			);
		case 'show-tools':
			return showAllTools(ui, context);
		case 'run':
			return startPickedRun(ui, command.argument, context);
		case 'replay':
			return context.readOnly ? refused(ui) : stay(askReplay(ui, command.argument));
		case 'theme':
			return stay(withTheme(ui, command.argument));
		case 'reconnect':
		case 'login':
		case 'tools':
		case 'enable':
		case 'disable':
			return serverCommand(ui, {name: command.kind, server: command.argument}, context);
		case 'unknown':
			return stay(withToast(ui, `unknown command: ${command.text}`, 'busy'));
	}
}

function askReplay(ui: UiState, eventId: string): UiState {
	return confirmCommand(ui, {
		words: `Replay the event ${eventId}? Its route acts on it once more.`,
		command: {type: 'replay-event', eventId},
		doing: `replaying ${eventId}`,
		next: 'behind',
	});
}
