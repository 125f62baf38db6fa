import {type Readiness} from './arming.ts';
import {isTextMode} from './mode.ts';
import {type Stroke} from './stroke.ts';
import {type UiEvent} from './ui-event.ts';
import {type UiState} from './ui-state.ts';

/** Whether what is typed goes into a field. */
export function hasField({mode}: UiState): boolean {
	return isTextMode(mode);
}

/**
What a press of a chunk means: a field that was there before the chunk has an input component, which sees the same event itself;
one that the chunk opened has not, so the rest of the chunk is brought to it.
*/
export function strokeEvent(
	stroke: Stroke,
	at: {readonly ui: UiState; readonly hadField: boolean; readonly readiness: Readiness},
): UiEvent {
	const writes = stroke.text !== '' || stroke.name === 'enter';
	return !at.hadField && hasField(at.ui) && writes
		? {type: 'typed-ahead', stroke}
		: {type: 'stroke', stroke, readiness: at.readiness};
}
