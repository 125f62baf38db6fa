import {type ProposalAnswer} from '../../state/command.ts';
import {type ProposalRow} from '../../state/snapshot.ts';
import {type ProposalAction} from '../state/actions.ts';
import {type Readiness} from '../state/arming.ts';
import {proposalLines} from '../lists/question-rows.ts';
import {emptyField, type ProposalMode} from '../state/mode.ts';
import {withCommand, type Step, stay, type UiContext, type UiState, withMode} from '../state/ui-state.ts';

/** A key in the dialog of a proposal: what it means, and whether it may install now. */
export type ProposalKey = {readonly action: ProposalAction; readonly readiness: Readiness; readonly alone: boolean};

/** The window after a key in the dialog of a server that wants to be installed. */
export function proposalStep(ui: UiState, key: ProposalKey, context: UiContext): Step {
	const {mode} = ui;
	const card = mode.kind === 'proposal' ? context.snapshot.proposals.find(({id}) => id === mode.id) : undefined;
	if (mode.kind !== 'proposal' || !card) {
		return stay(ui);
	}

	if (!key.alone || key.readiness === 'unpainted') {
		return stay(hinted(ui, mode, 'wait, then press again'));
	}

	switch (key.action) {
		case 'install':
			return key.readiness === 'ready'
				? install(ui, {mode, card}, context)
				: stay(hinted(ui, mode, 'wait, then press again'));
		case 'rename': {
			const purpose = {kind: 'rename-proposal', id: card.id, profile: card.profile} as const;
			return stay(withMode(ui, {kind: 'prompt', purpose, field: {...emptyField, value: card.name}, behind: mode}));
		}

		case 'refuse-install':
			return answerProposal(ui, {card, answer: {kind: 'cancel'}}, context);
	}
}

function install(
	ui: UiState,
	{mode, card}: {readonly mode: ProposalMode; readonly card: ProposalRow},
	context: UiContext,
): Step {
	if (card.nameState === 'taken') {
		return stay(hinted(ui, mode, `there is a server named ${card.name}: m gives this one another name`));
	}

	const reasons = [
		...(card.warnings.length > 0 ? ['there are cautions'] : []),
		...(mode.seenLines < proposalLines(card, ui.size.columns).length ? ['not all of it was on the screen'] : []),
	];
	return reasons.length > 0 && mode.again === undefined
		? stay(withMode(ui, {...mode, again: 'install', hint: `press i again: ${reasons.join(', ')}`}))
		: answerProposal(ui, {card, answer: {kind: 'confirm'}}, context);
}

/** Sends the answer and stays: only the core's event moves the screen. */
export function answerProposal(
	ui: UiState,
	{card, answer}: {readonly card: ProposalRow; readonly answer: ProposalAnswer},
	context: UiContext,
): Step {
	const {mode} = ui;
	const sent =
		mode.kind === 'proposal' && !context.readOnly
			? withMode(ui, {...mode, answers: mode.answers + 1, again: undefined, hint: 'sent, waiting for the gateway'})
			: ui;
	return withCommand(sent, {type: 'answer-proposal', id: card.id, answer, profile: card.profile}, context);
}

function hinted(ui: UiState, mode: ProposalMode, hint: string): UiState {
	return withMode(ui, {...mode, hint});
}
