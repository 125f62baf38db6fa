import {type ProposalAnswer} from '../../state/command.ts';
import {type ProposalRow} from '../../state/snapshot.ts';
import {type NumberedDialog, type NumberedStep} from './numbered-step.ts';

type ProposalDialog = Extract<NumberedDialog, {kind: 'proposal'}>;

const choices = [
	'1 do not install it',
	'2 install it under another name',
	'3 install it',
	'Type a number and press Enter.',
] as const;

/** A server that wants to be installed, to be read out, then the numbered answers. */
export function proposalLines(card: ProposalRow): readonly string[] {
	return [
		`Install a tool server? Name ${card.name}${card.nameState === 'taken' ? ', which is taken' : ''}, profile ${card.profile}.`,
		...card.cautions.map(caution => `Caution: ${caution}`),
		...(card.commandLines.length > 0 ? ['This would run, one word a line:', ...card.commandLines] : []),
		'Entry for config.yaml:',
		...card.entryLines,
		...choices,
	];
}

/** What a typed line does with a proposal. */
export function proposalStep(dialog: ProposalDialog, text: string, card: ProposalRow): NumberedStep {
	if (dialog.page === 'name') {
		return text === ''
			? {dialog: {...dialog, page: 'choose'}, commands: [], lines: choices}
			: answer(dialog, card, {kind: 'rename', name: text});
	}

	switch (text) {
		case '1':
			return answer(dialog, card, {kind: 'cancel'});
		case '2':
			return {dialog: {...dialog, page: 'name'}, commands: [], lines: ['Which name? Type it and press Enter.']};
		case '3':
			return card.nameState === 'taken'
				? {dialog, commands: [], lines: [`There is a server named ${card.name}: 2 gives this one another name.`]}
				: answer(dialog, card, {kind: 'confirm'});
		default:
			return {dialog, commands: [], lines: [`${text === '' ? 'An empty line' : 'That'} decides nothing.`, ...choices]};
	}
}

function answer(dialog: ProposalDialog, card: ProposalRow, given: ProposalAnswer): NumberedStep {
	return {
		dialog: {...dialog, page: 'choose'},
		commands: [{type: 'answer-proposal', id: card.id, answer: given, profile: card.profile}],
		lines: [],
	};
}
