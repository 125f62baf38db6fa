import {type ProposalAnswer} from '../../state/person-answers.ts';
import {type ProposalRow} from '../../state/snapshot.ts';
import {type ScreenReaderDialog, type ScreenReaderStep} from './screen-reader-step.ts';
import {shownName} from '../../util/safe-text.ts';

type ProposalDialog = Extract<ScreenReaderDialog, {kind: 'proposal'}>;

const choices = [
	'1 do not install it',
	'2 install it under another name',
	'3 install it',
	'Type a number and press Enter.',
] as const;

/** A server that wants to be installed, to be read out, then the numbered answers. */
export function proposalLines(request: ProposalRow): readonly string[] {
	return [
		`Install a tool server? Name ${shownName(request.name)}${request.nameState === 'taken' ? ', which is taken' : ''}, profile ${request.profile}.`,
		...request.warnings.map(warning => `Warning: ${warning}`),
		...(request.commandLines.length > 0 ? ['This would run, one argument per line:', ...request.commandLines] : []),
		'Entry for config.yaml:',
		...request.entryLines,
		...choices,
	];
}

/** The question once more, for a listener who heard other lines since. */
export function proposalPrompt({page}: ProposalDialog, request: ProposalRow): readonly string[] {
	const still = `Still waiting: install the tool server ${shownName(request.name)}?`;
	switch (page) {
		case 'name':
			return [still, 'Which name? Type it and press Enter.'];
		case 'again':
			return [still, againText];
		case 'choose':
			return [still, ...choices];
	}
}

const againText = 'There are warnings. Type 3 again within 5 s to install it; anything else goes back.';

/** The effect of a typed line on a proposal. */
export function proposalStep(dialog: ProposalDialog, text: string, request: ProposalRow): ScreenReaderStep {
	if (dialog.page === 'name') {
		return text === ''
			? {dialog: {...dialog, page: 'choose'}, calls: [], lines: choices}
			: answer(dialog, request, {kind: 'rename', name: text});
	}

	if (dialog.page === 'again') {
		return text === '3'
			? answer(dialog, request, {kind: 'confirm'})
			: {dialog: {...dialog, page: 'choose'}, calls: [], lines: ['Nothing was installed.', ...choices]};
	}

	switch (text) {
		case '1':
			return answer(dialog, request, {kind: 'cancel'});
		case '2':
			return {dialog: {...dialog, page: 'name'}, calls: [], lines: ['Which name? Type it and press Enter.']};
		case '3':
			return install(dialog, request);
		default:
			return {dialog, calls: [], lines: [`${text === '' ? 'An empty line' : 'That'} decides nothing.`, ...choices]};
	}
}

/** Installs it, or asks a second time where the dashboard does. */
function install(dialog: ProposalDialog, request: ProposalRow): ScreenReaderStep {
	if (request.nameState === 'taken') {
		return {
			dialog,
			calls: [],
			lines: [`There is already a server named ${shownName(request.name)}; type 2 to give this one another name.`],
		};
	}

	return request.warnings.length > 0
		? {dialog: {...dialog, page: 'again'}, calls: [], lines: [againText]}
		: answer(dialog, request, {kind: 'confirm'});
}

function answer(dialog: ProposalDialog, request: ProposalRow, given: ProposalAnswer): ScreenReaderStep {
	return {
		dialog: {...dialog, page: 'choose'},
		calls: [{method: 'proposals.answer', params: {id: request.id, answer: given}, profile: request.profile}],
		lines: [],
	};
}
