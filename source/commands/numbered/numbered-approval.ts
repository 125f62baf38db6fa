import {originText} from '../../state/origin.ts';
import {type Verdict} from '../../state/command.ts';
import {type ApprovalRow} from '../../state/snapshot.ts';
import {indentJson} from '../../util/json-text.ts';
import {type NumberedDialog, type NumberedStep} from './numbered-step.ts';

type ApprovalDialog = Extract<NumberedDialog, {kind: 'approval'}>;

const choices = [
	'1 deny',
	'2 deny and say why',
	'3 allow once',
	'4 allow this tool until Sluice stops',
	'5 always allow this tool',
	'Type a number and press Enter.',
] as const;

/** An approval to be read out: who asks, what for, from where, then the numbered answers. */
export function approvalLines(card: ApprovalRow): readonly string[] {
	const what = card.kind === 'sampling' ? `an answer of your model, ${card.tool}` : `tool ${card.tool}`;
	const fromPayload = card.payloadPaths ?? [];
	return [
		`Permission required, request ${card.id.slice(0, 4)}: server ${card.server}, ${card.trust === 'untrusted' ? 'untrusted' : 'trusted'}, ${what}.`,
		`Asked by ${originText(card.origin)}.`,
		...(card.hints.destructiveHint === true ? ['The server says that this destroys something.'] : []),
		'Arguments:',
		...indentJson(card.arguments).split('\n'),
		...(fromPayload.length > 0 ? [`Word for word from the untrusted payload: ${fromPayload.join(', ')}.`] : []),
		...(card.definitionChange ? [`The definition changed since it was allowed: ${card.definitionChange}`] : []),
		...choices,
	];
}

/** What a typed line does with an approval. */
export function approvalStep(dialog: ApprovalDialog, text: string, card: ApprovalRow): NumberedStep {
	switch (dialog.page) {
		case 'reason':
			return answer(dialog, card, text === '' ? {kind: 'deny'} : {kind: 'deny', message: text});
		case 'always':
			return text === '5'
				? answer(dialog, card, {kind: 'approve', scope: 'always'})
				: {dialog: {...dialog, page: 'choose'}, commands: [], lines: ['Nothing was stored.', ...choices]};
		case 'choose':
			return choose(dialog, text, card);
	}
}

function choose(dialog: ApprovalDialog, text: string, card: ApprovalRow): NumberedStep {
	switch (text) {
		case '1':
			return answer(dialog, card, {kind: 'deny'});
		case '2':
			return {dialog: {...dialog, page: 'reason'}, commands: [], lines: ['Why? Type the reason and press Enter.']};
		case '3':
			return answer(dialog, card, {kind: 'approve', scope: 'once'});
		case '4':
			return answer(dialog, card, {kind: 'approve', scope: 'session'});
		case '5':
			return {
				dialog: {...dialog, page: 'always'},
				commands: [],
				lines: [
					`This stores a rule: nobody is asked any more for ${card.server}/${card.tool} in profile ${card.profile}, with any arguments, for every caller.`,
					'Type 5 again to store it; anything else goes back.',
				],
			};
		default:
			return {dialog, commands: [], lines: [`${text === '' ? 'An empty line' : 'That'} decides nothing.`, ...choices]};
	}
}

function answer(dialog: ApprovalDialog, card: ApprovalRow, verdict: Verdict): NumberedStep {
	const {id, argumentsHash, profile} = card;
	return {
		dialog: {...dialog, page: 'choose'},
		commands: [{type: 'answer-approval', id, argumentsHash, verdict, profile}],
		lines: [],
	};
}
