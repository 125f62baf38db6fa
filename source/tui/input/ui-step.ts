import {type CallEnd} from '../../state/gateway-call.ts';
import {isQuiet, type Readiness} from '../state/arming.ts';
import {type CommandEnd, type EntryEdit} from '../state/local-programs.ts';
import {type KeyPress} from '../state/key-press.ts';
import {actionFor} from '../state/keymap.ts';
import {type Mode} from '../state/mode.ts';
import {withSameRow} from '../state/selection.ts';
import {initialUiState, stay, type Step, type UiContext, type UiState, withMode, withToast} from '../state/ui-state.ts';
import {type Shade, type TerminalReport} from '../terminal/control-sequences.ts';
import {type Size} from '../text/layout.ts';
import {dispatchAction} from './actions.ts';
import {callEnded} from './call-ends.ts';
import {askReplayFailed} from './event-actions.ts';
import {atPageSize, columnAfterCall, cursorRested, followPages, withReadColumn} from './column-actions.ts';
import {notSuspended} from './confirm-actions.ts';
import {pickClicked, turnWheel} from './mouse-actions.ts';
import {editEnded} from './entry-actions.ts';
import {withoutConnection} from './follow-console.ts';
import {scopesOf} from './modes.ts';
import {commandEnded, ownKeyOf, runOwnKey} from './own-key-actions.ts';
import {reconcile} from './reconcile.ts';
import {resizedReview} from './review-actions.ts';
import {withLapsedPress, withoutFirstPress} from '../state/second-press.ts';
import {screenSeen} from './seen-rows.ts';
import {submitText} from './submit-text.ts';
import {typeText} from './typed-text.ts';

/** Events that change the dashboard. */
export type UiEvent =
	| {readonly type: 'key-press'; readonly keyPress: KeyPress; readonly readiness: Readiness}
	| {readonly type: 'pasted'; readonly text: string}
	| {readonly type: 'resized'; readonly size: Size}
	/** The window of the terminal got or lost the keyboard. */
	| Extract<TerminalReport, {type: 'focus-in' | 'focus-out' | 'wheel' | 'input-lost'}>
	/** A row was clicked. */
	| {readonly type: 'row-clicked'; readonly id: string}
	/** The terminal has answered with its background. */
	| {readonly type: 'background'; readonly shade: Shade}
	/** The terminal has answered for the first time. */
	| {readonly type: 'terminal-answered'}
	/** A key that has to be pressed twice was not pressed again in time. */
	| {readonly type: 'press-lapsed'}
	/** The cursor was on one row for a while. */
	| {readonly type: 'cursor-rested'}
	/** The terminal has shown the screen that is up now. */
	| {readonly type: 'screen-seen'}
	| {readonly type: 'snapshot'}
	/** A call has ended, with its result or a problem. */
	| {readonly type: 'call-ended'; readonly end: CallEnd}
	/** The gateway has answered with a whole request. */
	| {readonly type: 'full-read'}
	/** Texts are drawn as Markdown from now on. */
	| {readonly type: 'markdown-loaded'}
	/** The editor has ended, or its text was written. */
	| {readonly type: 'edit-ended'; readonly edit: EntryEdit}
	/** The command of an own key has ended. */
	| {readonly type: 'command-ended'; readonly end: CommandEnd}
	/** The system did not stop the program. */
	| {readonly type: 'not-suspended'}
	| {readonly type: 'toast-ended'; readonly id: number};

/** The dashboard after something happened, in line with the core. Pure: calls are returned, not made. */
export function uiStep(ui: UiState, event: UiEvent, context: UiContext): Step {
	const step = eventStep(ui, event, context);
	const {ui: after, ...made} = event.type === 'call-ended' ? step : withoutConnection(ui, step, context.snapshot);
	const asked = after.mode.kind === ui.mode.kind ? after : withMode(after, withoutFirstPress(after.mode));
	return {ui: withReadColumn(reconcile(withSameRow(ui, asked, context.snapshot), context.snapshot)), ...made};
}

function eventStep(ui: UiState, event: UiEvent, context: UiContext): Step {
	switch (event.type) {
		case 'key-press':
			return atPageSize(ui, context, sized => keyPressed(sized, event, context));

		case 'pasted':
			return stay(typeText(ui, event.text));
		case 'resized':
			return stay(withSize(ui, event.size));
		case 'focus-in':
			// Nobody knows what was meant before: the screen is drawn and armed again, and no key counts as pressed once.
			return stay({...ui, focus: 'in', mode: withoutFirstPress(ui.mode), redraws: ui.redraws + 1});
		case 'press-lapsed':
			return stay(withLapsedPress(ui));
		case 'focus-out':
			return stay({...ui, focus: 'out'});
		case 'input-lost':
			return stay({...ui, mode: withoutFirstPress(ui.mode), rearms: ui.rearms + 1});
		case 'wheel':
			return atPageSize(ui, context, sized => turnWheel(sized, event.direction, context));
		case 'row-clicked':
			return stay(pickClicked(ui, event.id, context));
		case 'background':
			// A frame in other colours has to be seen again.
			return stay(ui.background === event.shade ? ui : {...ui, background: event.shade, rearms: ui.rearms + 1});
		case 'terminal-answered':
			return stay({...ui, terminal: 'answering'});
		case 'screen-seen':
			return stay(screenSeen(ui, context));
		case 'snapshot':
			return followPages(ui, context);
		case 'cursor-rested':
			return cursorRested(ui, context);
		case 'call-ended':
			return withQuestion(withColumnCall(callEnded(ui, event.end, context), event.end), event.end, context);
		case 'full-read':
			return stay({...ui, fullReads: ui.fullReads + 1});
		case 'markdown-loaded':
			return stay({...ui});
		case 'edit-ended':
			return editEnded(ui, event.edit, context);
		case 'command-ended':
			return stay(commandEnded(ui, event.end));
		case 'not-suspended':
			return stay(notSuspended(ui));
		case 'toast-ended':
			return stay(ui.toast?.id === event.id ? toastEnded(ui) : ui);
	}
}

function withColumnCall(step: Step, end: CallEnd): Step {
	return {...step, ui: columnAfterCall(step.ui, end)};
}

/** The failed events are listed only for the question whether they are to be replayed. */
function withQuestion(step: Step, end: CallEnd, context: UiContext): Step {
	return end.kind === 'result' && end.method === 'events.list'
		? {...step, ui: askReplayFailed(step.ui, end.result, context)}
		: step;
}

/** A pending toast whose time is over is replaced by one that names the log, where the outcome will be. */
function toastEnded(ui: UiState): UiState {
	return ui.toast?.awaited
		? withToast(ui, `${ui.toast.text}: still under way, the log will say how it ends`, 'busy')
		: {...ui, toast: undefined};
}

/** Scopes in which a key decides. A key without a meaning there was not meant for the screen before. */
const cardScopes = [
	'review',
	'approve',
	'approve-run',
	'approve-longer',
	'approve-by-rule',
	'full',
	'always',
	'rule',
	'proposal',
	'form-pick',
	'form-end',
	'form-url',
] as const;

/** A key that may have been meant for a card that has just gone does nothing until the keyboard was quiet. */
function keyPressed(
	before: UiState,
	{keyPress, readiness}: Extract<UiEvent, {type: 'key-press'}>,
	context: UiContext,
): Step {
	const isHeld = before.keys === 'held' && !isQuiet(readiness);
	if (isHeld && actionFor(cardScopes, keyPress.name) !== undefined) {
		return stay(before);
	}

	const ui: UiState = isHeld || before.keys === 'free' ? before : {...before, keys: 'free'};
	const action = actionFor(scopesOf(ui, context), keyPress.name);
	if (action !== undefined) {
		return dispatchAction(ui, {action, readiness, alone: keyPress.alone}, context);
	}

	const own = ownKeyOf(ui, keyPress.name, context);
	if (own) {
		// A chunk that happens to hold its letter starts no program.
		return keyPress.alone ? runOwnKey(ui, own, context) : stay(ui);
	}

	return keyPress.name === 'enter' ? submitText(ui, context) : stay(typeText(ui, keyPress.text));
}

/** Ink draws its last frame once more before it knows the new size, and what is wider than the screen then wraps: all of it is drawn again, except at the start. */
function withSize(ui: UiState, size: Size): UiState {
	const redraws = ui.size === initialUiState.size ? ui.redraws : ui.redraws + 1;
	return {...ui, size, redraws, mode: resized(ui.mode)};
}

/** Lines wrap elsewhere after the terminal changed its size, so what is being decided has to be read from the beginning, also behind a field or a question. */
function resized(mode: Mode): Mode {
	if (mode.kind === 'proposal') {
		return {...mode, scroll: 0, again: undefined, seenLines: 0, found: undefined};
	}

	if (mode.kind === 'review') {
		return resizedReview(mode);
	}

	if (mode.kind === 'deny-message') {
		return {...mode, review: resizedReview(mode.review)};
	}

	// Nothing is decided behind the details of a row.
	return 'behind' in mode && mode.kind !== 'detail' ? {...mode, behind: resized(mode.behind)} : mode;
}
