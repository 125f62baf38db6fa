import {nameProblem, parseNewServer} from '../state/add-server.ts';
import {
	withCommand,
	serverAwaited,
	type Step,
	stay,
	type UiContext,
	type UiState,
	withAwaited,
	withMode,
} from '../state/ui-state.ts';

/** The window after enter in the form for a new server. */
export function submitServer(ui: UiState, text: string, context: UiContext): Step {
	return ui.mode.kind === 'add-server' && ui.mode.step === 'name'
		? stay(submitName(ui, text, context))
		: submitAddress(ui, text, context);
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
		: withCommand(
				withAwaited(
					withMode(ui, {kind: 'browse'}),
					`adding ${ui.mode.name}`,
					serverAwaited({server: ui.mode.name}, context),
				),
				{type: 'add-server', server: typed.server},
				context,
			);
}
