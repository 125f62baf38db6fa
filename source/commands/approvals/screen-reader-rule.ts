import {type ApprovalRow} from '../../state/snapshot.ts';
import {type RecordedMatches, type ShownArgument, type ShownProposal} from '../../state/view-event.ts';
import {shownId} from '../../util/id-part.ts';
import {type ScreenReaderDialog, type ScreenReaderStep} from './screen-reader-step.ts';
import {shownName} from '../../util/safe-text.ts';

type RuleDialog = Extract<ScreenReaderDialog, {kind: 'rule'}>;

const endOfChoices = 'Type a number and press Enter.';
const back = '1 go back to the request';
const storing = '2';
/** The number of the first argument. */
const firstArgument = 3;

/** Asks the gateway for the rule that a request proposes, with these choices. */
export function askForRule(
	{id, read}: Pick<RuleDialog, 'id' | 'read'>,
	{profile}: Pick<ApprovalRow, 'profile'>,
	choices: readonly number[],
): ScreenReaderStep {
	return {
		dialog: {kind: 'rule', id, read, page: 'waiting', choices},
		calls: [{method: 'rules.propose', params: {id, choices}, profile}],
		lines: ['Asking the gateway for a rule from this call …'],
	};
}

/** The dialog once the gateway has answered, and what is said; undefined when the answer is to another question. */
export function takeProposal(
	dialog: RuleDialog,
	proposal: ShownProposal,
): {readonly dialog: RuleDialog; readonly lines: readonly string[]; readonly isNew: boolean} | undefined {
	if (proposal.id !== dialog.id) {
		return undefined;
	}

	if (dialog.page === 'waiting') {
		const isAsked = dialog.choices.every((choice, index) => proposal.arguments[index]?.chosen === choice);
		const asked = {kind: 'rule', id: dialog.id, read: dialog.read, page: 'choose', proposal} as const;
		return isAsked ? {dialog: asked, lines: proposalLines(proposal), isNew: true} : undefined;
	}

	return proposal.recorded && isSameRule(proposal, dialog.proposal)
		? {dialog: {...dialog, proposal}, lines: recordedLines(proposal.recorded), isNew: false}
		: undefined;
}

function isSameRule({outcome: one}: ShownProposal, {outcome: other}: ShownProposal): boolean {
	return one.kind === 'rule' && other.kind === 'rule' && one.hash === other.hash;
}

/** The question once more, for a listener who heard other lines since. */
export function rulePrompt(dialog: RuleDialog, {id, server, tool}: ApprovalRow): readonly string[] {
	return [
		`Still making a rule from request ${shownId(id)}: server ${server}, tool ${shownName(tool)}.`,
		...pageLines(dialog),
	];
}

function pageLines(dialog: RuleDialog): readonly string[] {
	switch (dialog.page) {
		case 'waiting':
			return ['The gateway has not answered yet.', back, endOfChoices];
		case 'choose':
			return choicesOf(dialog.proposal);
		case 'store':
			return storeLines(dialog.proposal);
		default:
			return argumentLines(dialog.proposal.arguments[dialog.page]);
	}
}

/** The rule to be stored in full, the choices for each argument, and then the lines that can be typed. */
function proposalLines(proposal: ShownProposal): readonly string[] {
	const {arguments: shown, recorded, outcome} = proposal;
	return [
		outcome.kind === 'rule'
			? `The rule would be stored as: ${outcome.words}.`
			: `Nothing can be stored: ${outcome.why}.`,
		...shown.map(({name, choices, chosen, note}) => {
			const why = note === undefined ? '' : `; ${note}`;
			return `Argument ${name}: ${choices[chosen] ?? ''}${why}.`;
		}),
		...(recorded ? recordedLines(recorded) : []),
		...(outcome.kind === 'rule'
			? ['Calls with other arguments still ask, and those with values from untrusted text.']
			: []),
		...choicesOf(proposal),
	];
}

function choicesOf({arguments: shown, outcome}: ShownProposal): readonly string[] {
	return [
		back,
		...(outcome.kind === 'rule' ? [`${storing} store this rule and allow this call`] : []),
		...shown.flatMap(({name, choices}, index) =>
			choices.length > 1 ? [`${index + firstArgument} choose what ${name} may be`] : [],
		),
		endOfChoices,
	];
}

function storeLines({outcome}: ShownProposal): readonly string[] {
	return outcome.kind === 'rule'
		? [
				`This stores the rule: ${outcome.words}.`,
				'It allows this call now, and such calls from then on without a question.',
				`Type ${storing} again within 60 s to store it; anything else goes back.`,
			]
		: [];
}

function argumentLines(argument: ShownArgument | undefined): readonly string[] {
	const {name = '', choices = [], chosen = 0} = argument ?? {};
	return [
		`Which values of ${name} does the rule allow? Now: ${choices[chosen] ?? ''}.`,
		...choices.map((choice, index) => `${index + 1} ${choice}`),
		'Type a number and press Enter; anything else goes back.',
	];
}

function recordedLines({calls, allowed}: RecordedMatches): readonly string[] {
	const counted = (count: number) => count.toLocaleString('en-US');
	return [
		calls === 0
			? 'No calls of the tool are recorded yet.'
			: `Of ${counted(calls)} recorded ${calls === 1 ? 'call' : 'calls'} of the tool it would have let ${counted(allowed)} more through.`,
	];
}

/** The effect of a typed line. A rule is stored by the same number twice, exactly as it was read out. */
export function ruleStep(dialog: RuleDialog, text: string, request: ApprovalRow): ScreenReaderStep {
	switch (dialog.page) {
		case 'waiting':
			return text === '1' ? toRequest(dialog) : printed(dialog, pageLines(dialog));
		case 'choose':
			return choose(dialog, text);
		case 'store':
			return text === storing
				? store(dialog, request)
				: printed({...dialog, page: 'choose'}, ['Nothing was stored.', ...choicesOf(dialog.proposal)]);
		default:
			return pick(dialog, {argument: dialog.page, text}, request);
	}
}

type ShownDialog = Exclude<RuleDialog, {readonly page: 'waiting'}>;

function choose(dialog: ShownDialog, text: string): ScreenReaderStep {
	const {proposal} = dialog;
	if (text === '1') {
		return toRequest(dialog);
	}

	if (text === storing && proposal.outcome.kind === 'rule') {
		return printed({...dialog, page: 'store'}, storeLines(proposal));
	}

	const index = proposal.arguments.findIndex((_, place) => text === String(place + firstArgument));
	const argument = proposal.arguments[index];
	return argument && argument.choices.length > 1
		? printed({...dialog, page: index}, argumentLines(argument))
		: printed(dialog, [`${text === '' ? 'An empty line' : 'That'} decides nothing.`, ...choicesOf(proposal)]);
}

/** Another choice for an argument makes another rule, which is read out before it can be stored. */
function pick(
	dialog: ShownDialog,
	{argument, text}: {readonly argument: number; readonly text: string},
	request: ApprovalRow,
): ScreenReaderStep {
	const {arguments: shown} = dialog.proposal;
	const picked = shown[argument]?.choices.findIndex((_, index) => text === String(index + 1)) ?? -1;
	return picked === -1
		? printed({...dialog, page: 'choose'}, choicesOf(dialog.proposal))
		: askForRule(
				dialog,
				request,
				shown.map(({chosen}, index) => (index === argument ? picked : chosen)),
			);
}

function store(dialog: ShownDialog, {id, argumentsHash, profile}: ApprovalRow): ScreenReaderStep {
	const {arguments: shown, outcome} = dialog.proposal;
	if (outcome.kind !== 'rule') {
		return printed(dialog, []);
	}

	const choices = shown.map(({chosen}) => chosen);
	return {
		...toRequest(dialog),
		calls: [
			{method: 'rules.store', params: {id, arguments_hash: argumentsHash, choices, rule_hash: outcome.hash}, profile},
		],
		lines: [],
	};
}

/** Back to the request, which is asked about as before. */
function toRequest({id, read}: RuleDialog): ScreenReaderStep {
	return {dialog: {kind: 'approval', id, page: 'choose', read}, calls: [], lines: ['Nothing was stored.']};
}

function printed(dialog: RuleDialog, lines: readonly string[]): ScreenReaderStep {
	return {dialog, calls: [], lines};
}
