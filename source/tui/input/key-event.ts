import {type Readiness} from '../state/arming.ts';
import {isTextMode} from '../state/mode.ts';
import {type KeyPress} from '../state/key-press.ts';
import {type UiEvent} from '../state/ui-event.ts';
import {type UiState} from '../state/ui-state.ts';

/** Whether what is typed goes into a field. */
export function hasField({mode}: UiState): boolean {
	return isTextMode(mode);
}

/**
What a press of a chunk means: a field that was there before the chunk has an input component, which sees the same event itself;
one that the chunk opened has not, so the rest of the chunk is brought to it.
*/
export function keyEvent(
	keyPress: KeyPress,
	at: {readonly ui: UiState; readonly hadField: boolean; readonly readiness: Readiness},
): UiEvent {
	const writes = keyPress.text !== '' || keyPress.name === 'enter';
	return !at.hadField && hasField(at.ui) && writes
		? {type: 'typed-ahead', keyPress}
		: {type: 'stroke', keyPress, readiness: at.readiness};
}
