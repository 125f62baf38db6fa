import {answerProposal} from './proposal-keys.ts';
import {startRun} from './run-keys.ts';
import {withCommand, type Step, stay, type UiContext, type UiState, withMode, withToast} from '../state/ui-state.ts';
import {findInWhole} from './whole-keys.ts';

/** The window after enter in a typed line: an empty one does nothing but leave it. */
export function submitPrompt(ui: UiState, text: string, context: UiContext): Step {
	const {mode} = ui;
	if (mode.kind !== 'prompt') {
		return stay(ui);
	}

	const {purpose} = mode;
	const back = withMode(ui, mode.behind);
	if (text === '') {
		return stay(back);
	}

	switch (purpose.kind) {
		case 'find':
			return stay(findInWhole(back, text, context));
		case 'start-run':
			return startRun(back, {prompt: text, profile: purpose.profile}, context);
		case 'follow-up': {
			const {runId, profile} = purpose;
			return withCommand(
				withToast(back, 'going on with the run'),
				{type: 'follow-up-run', runId, prompt: text, profile},
				context,
			);
		}

		case 'answer-inbox': {
			const {runId, profile} = purpose;
			return withCommand(
				withToast(back, 'delivering the answer'),
				{type: 'answer-inbox', runId, text, profile},
				context,
			);
		}

		case 'finish-login': {
			const {server, profile} = purpose;
			const command = {type: 'finish-login', server, redirectUrl: text, profile} as const;
			return withCommand(withToast(back, `finishing the login to ${server}`), command, context);
		}

		case 'rename-proposal': {
			const card = context.snapshot.proposals.find(({id}) => id === purpose.id);
			return card ? answerProposal(back, {card, answer: {kind: 'rename', name: text}}, context) : stay(back);
		}
	}
}
