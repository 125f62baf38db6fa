import {decisionCall} from '../../state/gateway-call.ts';
import {askedFromText} from '../../state/origin.ts';
import {type Verdict} from '../../state/person-answers.ts';
import {type ApprovalScope, hiddenWords, type FullRequest} from '../../state/approval-event.ts';
import {
	type DecisionChoices,
	decisionChoices,
	decisionFacts,
	type Reading,
	requestReading,
	type RuleChoice,
	secondQuestion,
	thisCommandWords,
} from '../../state/decision.ts';
import {type ApprovalRow} from '../../state/snapshot.ts';
import {shownId} from '../../util/id-part.ts';
import {isHead} from '../../util/exact-text.ts';
import {askForRule} from './screen-reader-rule.ts';
import {argumentLines, claimLines, lowerLines, markedLines} from './request-text.ts';
import {type ScreenReaderDialog, type ScreenReaderStep} from './screen-reader-step.ts';
import {shownName, toolText, uncut} from '../../util/safe-text.ts';
import {spokenWording} from '../../util/values/line-wording.ts';

type ApprovalDialog = Extract<ScreenReaderDialog, {kind: 'approval'}>;

/** More than this is not read out: such a request can only be denied here. */
const maxReadOutBytes = 1_000_000;

const endOfChoices = 'Type a number and press Enter.';
const denials = ['1 deny', '2 deny and say why'] as const;

/** The number of an answer stays the same, whatever else is offered. */
const numberOf = {once: '3', run: '7', session: '4', always: '5'} as const satisfies Readonly<
	Record<ApprovalScope, string>
>;

function allowances(request: ApprovalRow): Readonly<Record<ApprovalScope, string>> {
	const {subject, liftedFor} = decisionFacts(request);
	return {
		once: liftedFor === undefined ? '3 allow once' : `3 lift the limit for ${liftedFor}`,
		run: `7 allow ${subject} for this run`,
		session: `4 allow ${subject} until Sluice stops`,
		always: `5 always allow ${subject}`,
	};
}

/** The lines that can be typed now: a request that was not read to its end can only be denied, as in the dashboard. */
function choiceLines(dialog: ApprovalDialog, request: ApprovalRow): readonly string[] {
	const {reading, scopes, rule} = offered(dialog, request);
	if (reading === 'read') {
		const texts = allowances(request);
		return [...denials, ...scopes.map(scope => texts[scope]).sort(), ...ruleLines(rule), endOfChoices];
	}

	return request.sentBytes > maxReadOutBytes
		? [...denials, 'It is too long to print, so it can only be denied here.', endOfChoices]
		: [
				...denials,
				`6 read the whole request, ${bytesWords(request)}`,
				'Until then it can only be denied.',
				endOfChoices,
			];
}

function ruleLines(rule: RuleChoice): readonly string[] {
	switch (rule.kind) {
		case 'here':
			return [`8 ${rule.about === 'arguments' ? 'propose a rule from this call' : thisCommandWords.toLowerCase()}`];
		case 'elsewhere':
			return [`A rule can be made from it only at ${rule.node}.`];
		case 'none':
			return [];
	}
}

/** The choices after what was read out: the request as it was published always is. */
function offered({read}: ApprovalDialog, request: ApprovalRow): DecisionChoices & {readonly reading: Reading} {
	const reading = requestReading(request, {published: 'read', full: read === 'whole' ? 'read' : 'unread'});
	return {...decisionChoices(request, reading), reading};
}

/** An approval to be read out: who asks, what for, from where, then the numbered answers. */
export function approvalLines(dialog: ApprovalDialog, request: ApprovalRow): readonly string[] {
	const what = {
		sampling: `an answer of your model, ${request.tool}`,
		limit: `more than the limit ${shownName(request.tool, uncut)}`,
		'tool-call': `tool ${shownName(request.tool, uncut)}`,
	}[request.kind];
	const facts = decisionFacts(request);
	return [
		`Permission required, request ${shownId(request.id)}: server ${request.server}, ${facts.trust}, ${what}.`,
		`Asked by ${askedFromText(request)}.`,
		...claimLines(facts),
		...(facts.hidden.length > 0 ? [`Some arguments are not shown in full: ${facts.hidden.join(', ')}.`] : []),
		...markedLines(facts),
		`Arguments, ${bytesWords(request)}:`,
		...argumentLines(request.arguments, spokenWording),
		...lowerLines(facts, '.'),
		...choiceLines(dialog, request),
	];
}

/** The question once more, for a listener who heard other lines since. */
export function approvalPrompt(dialog: ApprovalDialog, request: ApprovalRow): readonly string[] {
	return [
		`Still waiting, request ${shownId(request.id)}: server ${request.server}, tool ${shownName(request.tool, uncut)}.`,
		...pageLines(dialog, request),
	];
}

function pageLines(dialog: ApprovalDialog, request: ApprovalRow): readonly string[] {
	switch (dialog.page) {
		case 'reason':
			return ['Why? Type the reason and press Enter.'];
		case 'choose':
			return choiceLines(dialog, request);
		case 'once':
		case 'run':
		case 'session':
		case 'always':
			return againLines(dialog.page, request);
	}
}

function bytesWords({sentBytes}: ApprovalRow): string {
	return `${sentBytes.toLocaleString('en-US')} bytes`;
}

/** True if a typed line asks to hear all of a request, which the gateway has to send first. */
export function asksForFull({page}: ApprovalDialog, text: string): boolean {
	return page === 'choose' && text === '6';
}

/** The effect of a typed line on an approval. `whole`: all of the request, if it was asked for and the gateway still has it. */
export function approvalStep(
	dialog: ApprovalDialog,
	text: string,
	{request, whole}: {readonly request: ApprovalRow; readonly whole: FullRequest | undefined},
): ScreenReaderStep {
	switch (dialog.page) {
		case 'reason':
			return answer(dialog, request, text === '' ? {kind: 'deny'} : {kind: 'deny', message: text});
		case 'choose':
			return choose(dialog, text, {request, whole});
		case 'once':
		case 'run':
		case 'session':
		case 'always': {
			const nothing = dialog.page === 'always' ? 'Nothing was stored.' : 'Nothing was allowed.';
			return text === numberOf[dialog.page]
				? answer(dialog, request, {kind: 'approve', scope: dialog.page})
				: printed({...dialog, page: 'choose'}, [nothing, ...choiceLines(dialog, request)]);
		}
	}
}

function choose(dialog: ApprovalDialog, text: string, at: Parameters<typeof approvalStep>[2]): ScreenReaderStep {
	const {request} = at;
	const {reading, scopes, rule} = offered(dialog, request);
	const scope = scopes.find(one => numberOf[one] === text);
	if (scope) {
		return allow(dialog, request, scope);
	}

	switch (text) {
		case '1':
			return answer(dialog, request, {kind: 'deny'});
		case '2':
			return printed({...dialog, page: 'reason'}, ['Why? Type the reason and press Enter.']);
		case '6':
			return reading === 'read' || request.sentBytes > maxReadOutBytes
				? undecided(dialog, text, request)
				: readOut(dialog, at);
		case '8':
			return rule.kind === 'here' ? askForRule(dialog, request, []) : undecided(dialog, text, request);
		default:
			return undecided(dialog, text, request);
	}
}

function undecided(dialog: ApprovalDialog, text: string, request: ApprovalRow): ScreenReaderStep {
	return printed(dialog, [
		`${text === '' ? 'An empty line' : 'That'} decides nothing.`,
		...choiceLines(dialog, request),
	]);
}

/** Allows it, or asks a second time where the dashboard does. */
function allow(dialog: ApprovalDialog, request: ApprovalRow, scope: ApprovalScope): ScreenReaderStep {
	return secondQuestion(request, scope).kind === 'none'
		? answer(dialog, request, {kind: 'approve', scope})
		: printed({...dialog, page: scope}, againLines(scope, request));
}

function againLines(scope: ApprovalScope, request: ApprovalRow): readonly string[] {
	const question = secondQuestion(request, scope);
	switch (question.kind) {
		case 'none':
			return [];
		case 'stored-rule':
			return alwaysLines(request);
		case 'again':
			return [
				`Are you sure? ${question.reasons}.`,
				`Type ${numberOf[scope]} again within 5 s to allow it; anything else goes back.`,
			];
	}
}

function alwaysLines(request: ApprovalRow): readonly string[] {
	return [
		`This stores a rule: calls of ${toolText(request, uncut)} in profile ${request.profile} will no longer ask, with any arguments and from every caller.`,
		'Type 5 again within 60 s to store it; anything else goes back.',
	];
}

/** All of the request, secrets masked: what is unmasked is for the dashboard alone. */
function readOut(dialog: ApprovalDialog, {request, whole}: Parameters<typeof approvalStep>[2]): ScreenReaderStep {
	if (!whole) {
		return printed(dialog, ['The gateway no longer has this request.', ...choiceLines(dialog, request)]);
	}

	const hidden = hiddenWords(whole);
	const read = {...dialog, read: whole.cutBytes === 0 ? 'whole' : 'card'} as const;
	return printed(read, [
		`The whole request ${shownId(request.id)}, ${bytesWords(request)}${hidden.length > 0 ? `, ${hidden.join(', ')}` : ''}:`,
		...(isHead(request.tool) ? [`Tool ${shownName(whole.tool, uncut)}.`] : []),
		...argumentLines(whole.arguments, spokenWording),
		'End of the request.',
		...choiceLines(read, request),
	]);
}

function answer(dialog: ApprovalDialog, request: ApprovalRow, verdict: Verdict): ScreenReaderStep {
	return {dialog: {...dialog, page: 'choose'}, calls: [decisionCall(request, verdict)], lines: []};
}

function printed(dialog: ApprovalDialog, lines: readonly string[]): ScreenReaderStep {
	return {dialog, calls: [], lines};
}
