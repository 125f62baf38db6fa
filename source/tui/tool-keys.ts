import {openForm} from './form.ts';
import {formMode} from './form-mode.ts';
import {pickedId, pickedServer} from './picked-row.ts';
import {schemaFields} from './schema-fields.ts';
import {openBoard} from './screen-view.ts';
import {order, type Step, stay, type UiContext, type UiState, withMode, withToast} from './ui-state.ts';

/** The tools of the picked row's server. */
export function serverTools(ui: UiState, context: UiContext): Step {
	const server = pickedServer(ui, context.snapshot);
	return server
		? order(openBoard(ui, 'tools'), {type: 'show-tools', server: server.server, profile: server.profile}, context)
		: stay(ui);
}

/** A form made from the schema of the picked tool. */
export function callByHand(ui: UiState, {snapshot}: UiContext): UiState {
	const board = snapshot.toolBoard;
	const tool = board?.tools.find(({name}) => name === pickedId(ui, snapshot));
	if (!board || !tool) {
		return ui;
	}

	if (tool.state !== 'registered') {
		return withToast(ui, `${tool.tool} is not registered${tool.reason ? `: ${tool.reason}` : ''}`, 'busy');
	}

	const form = openForm({kind: 'tool', name: tool.name, profile: board.profile}, schemaFields(tool.inputSchema));
	return withMode(ui, formMode(form, ui.mode));
}
