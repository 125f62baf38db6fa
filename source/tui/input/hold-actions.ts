import {type HoldRow} from '../../state/snapshot.ts';
import {refused, stay, type Step, type UiContext, type UiState, withMode, withToast} from '../state/ui-state.ts';
import {emptyField} from '../state/text-field.ts';
import {withPending} from './call-ends.ts';
import {confirmCall} from './confirm-actions.ts';

/** Asks why everything is to be held; while it is, whether it is to be released. */
export function askHold(ui: UiState, {snapshot}: UiContext): UiState {
	return snapshot.hold
		? askRelease(ui, snapshot.hold)
		: withMode(ui, {kind: 'prompt', purpose: {kind: 'hold'}, field: emptyField, behind: ui.mode});
}

/** Asks whether what is held is to be released. */
export function askUnhold(ui: UiState, {snapshot}: UiContext): UiState {
	return snapshot.hold ? askRelease(ui, snapshot.hold) : withToast(ui, 'nothing is held', 'busy');
}

/** A yes releases the hold that was shown, and no other. */
function askRelease(ui: UiState, {by, reason, hash, waiting}: HoldRow): UiState {
	const why = reason === '' ? '' : `: ${reason}`;
	const calls = waiting === 1 ? '1 call waits and is' : `${waiting} calls wait and are`;
	return confirmCall(ui, {
		words: `Release what ${by} holds${why}? ${waiting === 0 ? 'Queued runs begin.' : `${calls} checked again; queued runs begin.`}`,
		call: {method: 'unhold', params: {hash}},
		pending: 'releasing',
		next: 'behind',
	});
}

/** Holds everything; the reason may be empty. */
export function holdAll(ui: UiState, reason: string, context: UiContext): Step {
	if (context.readOnly) {
		return refused(ui);
	}

	return context.snapshot.hold
		? stay(withToast(ui, `${context.snapshot.hold.by} holds everything already`, 'busy'))
		: withPending(ui, {pending: 'holding everything', call: {method: 'hold', params: {reason}}}, context);
}
