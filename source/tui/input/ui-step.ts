import {isQuiet, type Readiness} from '../state/arming.ts';
import {type KeyPress} from '../state/key-press.ts';
import {actionFor} from '../state/keymap.ts';
import {isTextMode} from '../state/mode.ts';
import {stay, type Step, type UiContext, type UiState, withMode} from '../state/ui-state.ts';
import {type Size} from '../text/layout.ts';
import {dispatchAction} from './actions.ts';
import {notSuspended} from './confirm-actions.ts';
import {scopesOf} from './modes.ts';
import {reconcile} from './reconcile.ts';
import {resizedReview} from './review-actions.ts';
import {screenSeen} from './seen-rows.ts';
import {submitText} from './submit-text.ts';
import {changeText, firstLine, pasteText, replaceText} from './typed-text.ts';

/** What can happen to the dashboard. */
export type UiEvent =
	| {readonly type: 'key-press'; readonly keyPress: KeyPress; readonly readiness: Readiness}
	/** A key of a chunk whose beginning opened a text field. */
	| {readonly type: 'typed-ahead'; readonly keyPress: KeyPress}
	| {readonly type: 'text-changed'; readonly text: string}
	| {readonly type: 'text-submitted'; readonly text: string}
	| {readonly type: 'pasted'; readonly text: string}
	| {readonly type: 'resized'; readonly size: Size}
	/** The terminal has shown the screen that is up now. */
	| {readonly type: 'screen-seen'}
	| {readonly type: 'snapshot'}
	/** The system did not stop the program. */
	| {readonly type: 'not-suspended'}
	| {readonly type: 'toast-ended'; readonly id: number};

/** The dashboard after something happened, in line with the core. Pure: commands to the core are returned, not sent. */
export function uiStep(ui: UiState, event: UiEvent, context: UiContext): Step {
	const {ui: next, commands} = eventStep(ui, event, context);
	return {ui: reconcile(next, context.snapshot), commands};
}

function eventStep(ui: UiState, event: UiEvent, context: UiContext): Step {
	switch (event.type) {
		case 'key-press':
			return keyPressed(ui, event, context);

		case 'typed-ahead':
			return typedAhead(ui, event.keyPress, context);
		case 'text-changed':
			return textChanged(ui, event.text, context);
		case 'text-submitted':
			return submitText(ui, event.text, context);
		case 'pasted':
			return stay(pasteText(ui, event.text));
		case 'resized':
			return stay(resized({...ui, size: event.size}, context));
		case 'screen-seen':
			return stay(screenSeen(ui, context));
		case 'snapshot':
			return stay(ui);
		case 'not-suspended':
			return stay(notSuspended(ui));
		case 'toast-ended':
			return stay(ui.toast?.id === event.id ? {...ui, toast: undefined} : ui);
	}
}

/** A key that was meant for a card that has just gone finds nothing to act on but what is bound everywhere. */
function keyPressed(
	before: UiState,
	{keyPress, readiness}: Extract<UiEvent, {type: 'key-press'}>,
	context: UiContext,
): Step {
	const isHeld = before.keys === 'held' && !isQuiet(readiness);
	const ui: UiState = isHeld || before.keys === 'free' ? before : {...before, keys: 'free'};
	const action = actionFor(isHeld ? ['everywhere'] : scopesOf(ui, context), keyPress.name);
	return action === undefined ? stay(ui) : dispatchAction(ui, {action, readiness, alone: keyPress.alone}, context);
}

/** The rest of a chunk whose beginning opened a field: the input component has not seen it. */
function typedAhead(ui: UiState, keyPress: KeyPress, context: UiContext): Step {
	if (!isTextMode(ui.mode)) {
		return stay(ui);
	}

	const {value} = ui.mode.field;
	return keyPress.name === 'enter' ? submitText(ui, value, context) : stay(replaceText(ui, value + keyPress.text));
}

/** A chunk may carry a line break: it submits the line before it. */
function textChanged(ui: UiState, text: string, context: UiContext): Step {
	const line = firstLine(text);
	return line === text ? stay(changeText(ui, text)) : submitText(replaceText(ui, line), line, context);
}

/** Lines wrap elsewhere after the terminal changed its size, so what is being decided has to be read from the beginning. */
function resized(ui: UiState, {snapshot}: UiContext): UiState {
	const {mode} = ui;
	return mode.kind === 'proposal'
		? withMode(ui, {...mode, scroll: 0, again: undefined, seenLines: 0})
		: resizedReview(ui, snapshot);
}
