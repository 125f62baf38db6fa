import {type Snapshot} from '../../state/snapshot.ts';
import {formOf} from '../state/form-mode.ts';
import {type UiState} from '../state/ui-state.ts';

/**
What a deciding key would act on: request, its arguments, page, question and how often it was answered; or the form with
the place of its cursor; or the proposal; and which part of it is on the screen. Keys are armed for one such screen; whenever
it changes they wait anew. Empty where nothing can be decided.
*/
export function screenKey(ui: UiState, snapshot: Snapshot): string {
	const subject = subjectKey(ui, snapshot);
	return subject === '' ? '' : [subject, ui.size.columns, ui.size.rows, ui.redraws].join(' ');
}

function subjectKey(ui: UiState, snapshot: Snapshot): string {
	const {mode} = ui;
	const form = formOf(ui);
	if (form) {
		const {owner, stop, answers} = form;
		return ['form', owner.kind, owner.kind === 'question' ? owner.id : owner.name, stop, answers].join(' ');
	}

	if (mode.kind === 'proposal') {
		return snapshot.proposals.some(({id}) => id === mode.id)
			? ['proposal', mode.id, mode.again ?? '', mode.answers, mode.scroll].join(' ')
			: '';
	}

	if (mode.kind === 'settled') {
		return ['settled', mode.title, mode.why].join(' ');
	}

	const card = mode.kind === 'review' ? snapshot.approvals.find(row => row.id === mode.cardId) : undefined;
	if (mode.kind !== 'review' || !card) {
		return '';
	}

	const {scroll, masks} = mode.whole;
	const part = mode.page === 'whole' ? `${scroll} ${masks}` : mode.scroll;
	return [card.id, card.argumentsHash, mode.page, mode.again ?? '', mode.answers, part].join(' ');
}
