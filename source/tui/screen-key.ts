import {type Snapshot} from '../state/snapshot.ts';
import {formOf} from './form-mode.ts';
import {type UiState} from './ui-state.ts';

/**
What a deciding key would act on: request, its arguments, page, question and how often it was answered; or the form with
the place of its cursor; or the proposal. Keys are armed for one such screen; whenever it changes they wait anew.
Empty where nothing can be decided.
*/
export function screenKey(ui: UiState, snapshot: Snapshot): string {
	const {mode} = ui;
	const form = formOf(ui);
	if (form) {
		const {owner, stop, answers} = form;
		return ['form', owner.kind, owner.kind === 'question' ? owner.id : owner.name, stop, answers].join(' ');
	}

	if (mode.kind === 'proposal') {
		return snapshot.proposals.some(({id}) => id === mode.id)
			? ['proposal', mode.id, mode.again ?? '', mode.answers].join(' ')
			: '';
	}

	const card = mode.kind === 'review' ? snapshot.approvals.find(row => row.id === mode.cardId) : undefined;
	if (mode.kind !== 'review' || !card) {
		return '';
	}

	return [card.id, card.argumentsHash, mode.page, mode.again ?? '', mode.answers].join(' ');
}
