import {type ProposalAnswer} from '../../state/person-answers.ts';
import {type ProposalRow} from '../../state/snapshot.ts';
import {type ProposalMode} from '../state/mode.ts';
import {fieldWith} from '../state/text-field.ts';
import {stay, type Step, type UiContext, type UiState, withCall, withMode} from '../state/ui-state.ts';
import {proposalLines} from '../lists/question-rows.ts';
import {sentHint} from '../state/mode.ts';

/** Installs the proposed server; warnings and rows that were not on the screen take the key twice. */
export function install(ui: UiState, context: UiContext): Step {
	return withProposal(ui, context, ({mode, card}) => {
		if (card.nameState === 'taken') {
			const hint = `there is already a server named ${card.name}; press m to use another name`;
			return stay(withMode(ui, {...mode, hint}));
		}

		const reasons = [
			...(card.warnings.length > 0 ? ['there are warnings'] : []),
			...(mode.seenLines < proposalLines(card, ui.size.columns).length ? ['not all of it was on the screen'] : []),
		];
		return reasons.length > 0 && mode.again === undefined
			? stay(withMode(ui, {...mode, again: 'install', hint: `press i again: ${reasons.join(', ')}`}))
			: answerProposal(ui, {card, answer: {kind: 'confirm'}}, context);
	});
}

/** A line for another name of the proposed server. */
export function renameProposal(ui: UiState, context: UiContext): Step {
	return withProposal(ui, context, ({mode, card: {id, profile, name}}) => {
		const purpose = {kind: 'rename-proposal', id, profile} as const;
		return stay(withMode(ui, {kind: 'prompt', purpose, field: fieldWith(name), behind: mode}));
	});
}

/** Does not install the proposed server. */
export function refuseInstall(ui: UiState, context: UiContext): Step {
	return withProposal(ui, context, ({card}) => answerProposal(ui, {card, answer: {kind: 'cancel'}}, context));
}

function withProposal(
	ui: UiState,
	{snapshot}: UiContext,
	act: (proposal: {readonly mode: ProposalMode; readonly card: ProposalRow}) => Step,
): Step {
	const {mode} = ui;
	const card = mode.kind === 'proposal' ? snapshot.proposals.find(({id}) => id === mode.id) : undefined;
	return mode.kind === 'proposal' && card ? act({mode, card}) : stay(ui);
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
			? withMode(ui, {...mode, answers: mode.answers + 1, again: undefined, hint: sentHint})
			: ui;
	return withCall(sent, {method: 'proposals.answer', params: {id: card.id, answer}, profile: card.profile}, context);
}
