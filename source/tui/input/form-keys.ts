import {type QuestionAnswer} from '../../state/command.ts';
import {type FormAction} from '../state/actions.ts';
import {type Readiness} from '../state/arming.ts';
import {picked, stopOf, stopsOf} from '../state/form.ts';
import {atStop, formOf, withForm} from '../state/form-mode.ts';
import {readForm} from '../state/form-values.ts';
import {ask} from './command-keys.ts';
import {withCommand, type Step, stay, type UiContext, type UiState, withMode} from '../state/ui-state.ts';

/** A key in a form: what it means, and whether it may send now. */
export type FormKey = {readonly action: FormAction; readonly readiness: Readiness; readonly alone: boolean};

/** The window after a key in a form. Only this function and a yes to cancelling make answers to questions. */
export function formStep(ui: UiState, key: FormKey, context: UiContext): Step {
	const form = formOf(ui);
	if (!form) {
		return stay(ui);
	}

	switch (key.action) {
		case 'form-next':
			return stay(moveStop(ui, 1));
		case 'form-previous':
			return stay(moveStop(ui, -1));
		case 'form-pick':
			return stay(pick(ui));
		case 'form-submit':
			return key.alone && key.readiness === 'ready' ? submit(ui, context) : stay(withForm(ui, {hint: waitHint}));
		case 'form-decline':
			return key.alone && key.readiness === 'ready'
				? answer(ui, {kind: 'decline'}, context)
				: stay(withForm(ui, {hint: waitHint}));
		case 'form-leave':
			return stay(leave(ui));
	}
}

const waitHint = 'wait, then press again';

/** The window with the cursor on another place of the form. */
export function moveStop(ui: UiState, distance: 1 | -1): UiState {
	const form = formOf(ui);
	if (!form) {
		return ui;
	}

	const last = stopsOf(form).length - 1;
	return atStop(ui, {...form, stop: Math.min(last, Math.max(0, form.stop + distance)), hint: ''});
}

function pick(ui: UiState): UiState {
	const form = formOf(ui);
	const stop = form && stopOf(form);
	return form && stop?.kind === 'option' ? atStop(ui, picked(form, stop)) : ui;
}

/** Sends what is entered, or shows what is wrong with it and goes there. */
function submit(ui: UiState, context: UiContext): Step {
	const form = formOf(ui);
	if (!form) {
		return stay(ui);
	}

	const reading = readForm(form);
	if (reading.kind === 'problems') {
		const {problems} = reading;
		const wrong = problems.findIndex(problem => problem !== '');
		const stop = stopsOf(form).findIndex(place => place.kind !== 'submit' && place.field === wrong);
		return stay(atStop(ui, {...form, problems, stop, hint: ''}));
	}

	return form.owner.kind === 'question'
		? answer(ui, {kind: 'accept', values: reading.values}, context)
		: callTool(ui, {...form.owner, values: reading.values}, context);
}

function answer(ui: UiState, given: QuestionAnswer, context: UiContext): Step {
	const form = formOf(ui);
	const question = context.snapshot.questions.find(row => form?.owner.kind === 'question' && row.id === form.owner.id);
	if (!form || !question) {
		return stay(ui);
	}

	const sent = withForm(ui, {answers: form.answers + 1, hint: 'sent, waiting for the gateway'});
	const {id, profile} = question;
	return withCommand(context.readOnly ? ui : sent, {type: 'answer-question', id, answer: given, profile}, context);
}

function callTool(
	ui: UiState,
	call: {
		readonly name: string;
		readonly profile: string;
		readonly values: Extract<QuestionAnswer, {kind: 'accept'}>['values'];
	},
	context: UiContext,
): Step {
	const manualCalls = ui.manualCalls + 1;
	const requestId = `hand-${manualCalls}`;
	const manualCall = {kind: 'hand-call', requestId, name: call.name, scroll: 0} as const;
	const waiting = withMode({...ui, manualCalls, manualCall}, manualCall);
	return withCommand(
		context.readOnly ? ui : waiting,
		{type: 'call-tool', requestId, name: call.name, arguments: call.values, profile: call.profile},
		context,
	);
}

/** A question is kept as it is filled in and asked about; a call by hand is just left. */
function leave(ui: UiState): UiState {
	const form = formOf(ui);
	if (!form || (ui.mode.kind !== 'form' && ui.mode.kind !== 'form-text')) {
		return ui;
	}

	return form.owner.kind === 'question'
		? ask({...ui, drafts: {...ui.drafts, [form.owner.id]: form}}, {kind: 'cancel-question', form})
		: withMode(ui, ui.mode.behind);
}
