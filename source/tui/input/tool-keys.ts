import {openForm} from '../state/form.ts';
import {formMode} from '../state/form-mode.ts';
import {pickedId, pickedServer} from '../state/selection.ts';
import {schemaFields} from '../state/schema-fields.ts';
import {showListView} from './screen-view.ts';
import {withCommand, type Step, stay, type UiContext, type UiState, withMode, withToast} from '../state/ui-state.ts';

/** The tools of the picked row's server. */
export function serverTools(ui: UiState, context: UiContext): Step {
	const server = pickedServer(ui, context.snapshot);
	return server
		? withCommand(
				showListView(ui, 'tools'),
				{type: 'show-tools', server: server.server, profile: server.profile},
				context,
			)
		: stay(ui);
}

/** A form made from the schema of the picked tool. */
export function showManualCall(ui: UiState, {snapshot}: UiContext): UiState {
	const list = snapshot.toolList;
	const tool = list?.tools.find(({name}) => name === pickedId(ui, snapshot));
	if (!list || !tool) {
		return ui;
	}

	if (tool.state !== 'registered') {
		return withToast(ui, `${tool.tool} is not registered${tool.reason ? `: ${tool.reason}` : ''}`, 'busy');
	}

	const form = openForm({kind: 'tool', name: tool.name, profile: list.profile}, schemaFields(tool.inputSchema));
	return withMode(ui, formMode(form, ui.mode));
}
