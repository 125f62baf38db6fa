import {type UncertainRow} from '../../state/snapshot.ts';
import {formMode} from '../state/form-mode.ts';
import {openForm} from '../state/form.ts';
import {schemaFields} from '../state/schema-fields.ts';
import {type UiContext, type UiState, withMode, withToast} from '../state/ui-state.ts';
import {pickedId} from '../state/selection.ts';
import {uncertainId} from '../../state/entities/uncertain.ts';
import {cutToWidth} from '../text/text-width.ts';
import {confirmCall} from './confirm-actions.ts';
import {shownName, toolText} from '../../util/safe-text.ts';

/** A form made from the schema of the picked tool, to call it. */
export function showCallForm(ui: UiState, {snapshot}: UiContext): UiState {
	const list = snapshot.toolList;
	const id = pickedId(ui, snapshot);
	const tool = list?.tools.find(({name}) => name === id);
	if (!list || !tool) {
		return ui;
	}

	if (tool.state !== 'registered') {
		return withToast(ui, `${shownName(tool.tool)} is not registered${tool.reason ? `: ${tool.reason}` : ''}`, 'busy');
	}

	const form = openForm({kind: 'tool', name: tool.name, profile: list.profile}, schemaFields(tool.inputSchema));
	return withMode(ui, formMode(form, ui.mode));
}

/** So much of the arguments fits into a question on the smallest screen; the row's details have all of them. */
const askedCells = 120;

/** Asks whether one of the latest calls of a server is to be made once more, by hand and through the approval check. */
export function askCallAgain(ui: UiState, {snapshot}: UiContext): UiState {
	const {serverCalls} = snapshot;
	const id = pickedId(ui, snapshot);
	const call = serverCalls?.calls.find(({callId}) => callId === id);
	if (!serverCalls || !call) {
		return ui;
	}

	const {callId, name, tool} = call;
	const {server, profile} = serverCalls;
	const args = cutToWidth(call.arguments, askedCells);
	return confirmCall(withMode(ui, {kind: 'browse'}), {
		words: `Call ${toolText({server, tool})} again with ${args}? It passes the approval check like a call by hand.`,
		call: {method: 'calls.repeat', params: {id: callId}, requestId: `hand-${ui.manualCalls + 1}`, profile},
		pending: `calling ${toolText({server, tool})}`,
		next: 'behind',
		tool: name,
	});
}

/** Asks whether a call under way is to be cancelled. */
export function cancelCall(ui: UiState, {snapshot}: UiContext): UiState {
	const id = pickedId(ui, snapshot);
	const call = snapshot.calls.find(({callId}) => callId === id);
	if (call?.node !== undefined) {
		return withToast(ui, `the gateway ${call.node} makes this call; cancel it there`, 'busy');
	}

	return call
		? confirmCall(ui, {
				words: `Cancel ${toolText(call)}? What it has already done stays done.`,
				call: {method: 'calls.cancel', params: {id: call.callId}, profile: call.profile},
				pending: `cancelling ${toolText(call)}`,
				next: 'list',
			})
		: ui;
}

/** Asks whether an uncertain call is to be marked. */
export function resolveCall(ui: UiState, resolution: 'done' | 'not_done', context: UiContext): UiState {
	return withUncertain(ui, context, call =>
		confirmCall(ui, {
			words:
				resolution === 'done'
					? `Mark ${toolText(call)} as done? Choose this if it took effect.`
					: `Mark ${toolText(call)} as not done? Choose this if it had no effect.`,
			call: {method: 'uncertain.resolve', params: {id: call.callId, resolution}, profile: call.profile},
			pending: 'marking the call',
			next: 'list',
		}),
	);
}

/** Asks whether an uncertain call is to be made once more, with the same arguments and through the approval check. */
export function repeatCall(ui: UiState, context: UiContext): UiState {
	return withUncertain(ui, context, call =>
		confirmCall(ui, {
			words: `Repeat ${toolText(call)}? If it took effect, it will happen twice. It needs approval again.`,
			call: {method: 'uncertain.repeat', params: {id: call.callId}, profile: call.profile},
			pending: 'repeating the call',
			next: 'list',
			awaits: {kind: 'approval', registeredName: call.registeredName, server: call.server, tool: call.tool},
		}),
	);
}

function withUncertain(ui: UiState, {snapshot}: UiContext, act: (call: UncertainRow) => UiState): UiState {
	const id = pickedId(ui, snapshot);
	const call = snapshot.uncertain.find(row => uncertainId(row) === id);
	return call ? act(call) : withToast(ui, 'only an uncertain call can be marked or repeated', 'busy');
}
