import {type GatewayCall} from '../../state/gateway-call.ts';
import {type QuestionAnswer} from '../../state/person-answers.ts';
import {type JsonObject} from '../../util/json-text.ts';
import {formHeight, formRows, isReadToEnd, scrolledForm} from '../components/form-rows.ts';
import {atStop, formOf, withForm} from '../state/form-mode.ts';
import {readForm} from '../state/form-values.ts';
import {type Form, picked, stopOf, stopsOf} from '../state/form.ts';
import {stay, type Step, type UiContext, type UiState, withCall, withManualCall, withMode} from '../state/ui-state.ts';
import {ask} from './confirm-actions.ts';
import {sentHint} from '../state/mode.ts';

/** Moves the cursor of the form. */
export function moveStop(ui: UiState, distance: 1 | -1): UiState {
	const form = formOf(ui);
	if (!form) {
		return ui;
	}

	const last = stopsOf(form).length - 1;
	return atStop(ui, {...form, stop: Math.min(last, Math.max(0, form.stop + distance)), scroll: 'at-cursor', hint: ''});
}

/** Scrolls the text of the form; the field of the cursor stays in sight. */
export function scrollForm(ui: UiState, direction: 1 | -1, context: UiContext): UiState {
	const form = formOf(ui);
	const rows = form ? formRows(form, {...context, size: ui.size}) : [];
	return form ? withForm(ui, scrolledForm(form, rows, {room: formHeight(ui), direction})) : ui;
}

/** Picks the value under the cursor, or drops it. */
export function pickValue(ui: UiState): UiState {
	const form = formOf(ui);
	const stop = form && stopOf(form);
	return form && stop?.kind === 'option' ? atStop(ui, picked(form, stop)) : ui;
}

/** Sends what is entered, or shows what is wrong with it and goes there. */
export function submitForm(ui: UiState, context: UiContext): Step {
	const form = formOf(ui);
	if (!form) {
		return stay(ui);
	}

	const reading = readForm(form);
	if (reading.kind === 'problems') {
		const {problems} = reading;
		const wrong = problems.findIndex(problem => problem !== '');
		const stop = stopsOf(form).findIndex(place => place.kind !== 'submit' && place.field === wrong);
		return stay(atStop(ui, {...form, problems, stop, scroll: 'at-cursor', hint: ''}));
	}

	if (form.owner.kind === 'question') {
		return form.owner.url && !isRead(ui, form, context)
			? stay(withForm(ui, {hint: unreadHint}))
			: answer(ui, {kind: 'accept', values: reading.values}, context);
	}

	const {name, profile} = form.owner;
	return callTool(ui, {name, profile, arguments: reading.values}, context);
}

/** Accepts the page of the question and has the browser of this machine open it, as it was shown. */
export function openAddress(ui: UiState, context: UiContext): Step {
	const form = formOf(ui);
	const open = form?.owner.kind === 'question' ? form.owner.url?.address : undefined;
	if (!form || open === undefined) {
		return stay(ui);
	}

	return isRead(ui, form, context)
		? answer(ui, {kind: 'accept', values: {}, open}, context)
		: stay(withForm(ui, {hint: unreadHint}));
}

/** No key accepts an address of which a part was not on the screen. */
const unreadHint = 'pagedown: read all of the address first';

function isRead(ui: UiState, form: Form, context: UiContext): boolean {
	return isReadToEnd(form, formRows(form, {...context, size: ui.size}), formHeight(ui));
}

/** Declines the question of the form. */
export function declineForm(ui: UiState, context: UiContext): Step {
	return answer(ui, {kind: 'decline'}, context);
}

/** A question keeps what is filled in and asks what becomes of it; a manual call, or a question that cannot be answered here, is just left. */
export function leaveForm(ui: UiState, {readOnly}: UiContext): UiState {
	const {mode} = ui;
	if (mode.kind !== 'form' && mode.kind !== 'form-text') {
		return ui;
	}

	const {form} = mode;
	return form.owner.kind === 'question' && !readOnly
		? ask({...ui, drafts: {...ui.drafts, [form.owner.id]: form}}, {kind: 'cancel-question', form})
		: withMode(ui, mode.behind);
}

/** Only this function and a yes to cancelling answer a question. */
function answer(ui: UiState, given: QuestionAnswer, context: UiContext): Step {
	const form = formOf(ui);
	const question = context.snapshot.questions.find(row => form?.owner.kind === 'question' && row.id === form.owner.id);
	if (!form || !question) {
		return stay(ui);
	}

	const sent = withForm(ui, {answers: form.answers + 1, hint: sentHint});
	const {id, profile} = question;
	return withCall(
		context.readOnly ? ui : sent,
		{method: 'questions.answer', params: {id, answer: given}, profile},
		context,
	);
}

function callTool(
	ui: UiState,
	{profile, ...params}: {readonly name: string; readonly arguments: JsonObject; readonly profile: string},
	context: UiContext,
): Step {
	const waiting = withManualCall(ui, params.name);
	const {requestId} = waiting.manualCall;
	const call: GatewayCall = {method: 'mcp.call', params: {...params, approve: false}, requestId, profile};
	return withCall(context.readOnly ? ui : waiting, call, context);
}
