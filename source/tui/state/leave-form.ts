import {type Form} from './form.ts';
import {own} from '../text/own-signs.ts';
import {withCommand, type Step, stay, type UiContext, type UiState, withMode, withToast} from './ui-state.ts';

/** Cancels a question: neither accepted nor declined, its asker is told that nobody decided. */
export function cancelQuestion(ui: UiState, form: Form, context: UiContext): Step {
	const {owner} = form;
	const question = context.snapshot.questions.find(row => owner.kind === 'question' && row.id === owner.id);
	const back = withMode(ui, {kind: 'browse'});
	return question
		? withCommand(
				withToast(back, 'cancelling the question'),
				{type: 'answer-question', id: question.id, answer: {kind: 'cancel'}, profile: question.profile},
				context,
			)
		: stay(back);
}

/** The list again; the question waits on, with what was filled in. */
export function leftPending(ui: UiState): UiState {
	return withToast(withMode(ui, {kind: 'browse'}), own`the question waits on · A opens it again`);
}
