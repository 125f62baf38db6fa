import {askedFromText} from '../../state/origin.ts';
import {type Verdict} from '../../state/person-answers.ts';
import {
	type ApprovalScope,
	hiddenWords,
	markedWords,
	offeredScopes,
	type WholeRequest,
} from '../../state/approval-event.ts';
import {type ApprovalRow} from '../../state/snapshot.ts';
import {shownId} from '../../util/id-part.ts';
import {indentJson, type JsonObject} from '../../util/json-text.ts';
import {isRuleSubject, mayBecomeRule, reasonsToAskTwice} from '../../tui/state/review.ts';
import {askForRule} from './screen-reader-rule.ts';
import {markedMeaning} from './request-text.ts';
import {type ScreenReaderDialog, type ScreenReaderStep} from './screen-reader-step.ts';
import {shownValue} from '../../util/shown-json.ts';
import {shownName, toolText, uncut} from '../../util/safe-text.ts';

type ApprovalDialog = Extract<ScreenReaderDialog, {kind: 'approval'}>;

/** More than this is not read out: such a request can only be denied here. */
const maxReadOutBytes = 1_000_000;

const endOfChoices = 'Type a number and press Enter.';
const denials = ['1 deny', '2 deny and say why'] as const;

/** The number of an answer stays the same, whatever else is offered. */
const numberOf = {once: '3', run: '7', session: '4', always: '5'} as const satisfies Readonly<
	Record<ApprovalScope, string>
>;

const allowances: Readonly<Record<ApprovalScope, string>> = {
	once: '3 allow once',
	run: '7 allow this tool for this run',
	session: '4 allow this tool until Sluice stops',
	always: '5 always allow this tool',
};

/** What can be typed now: a request that was not read to its end can only be denied, as in the dashboard. */
function choicesOf({read}: ApprovalDialog, request: ApprovalRow): readonly string[] {
	if (isReadOut(request, read)) {
		return [
			...denials,
			...offeredScopes(request)
				.map(scope => allowances[scope])
				.sort(),
			...ruleChoice(request),
			endOfChoices,
		];
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

function ruleChoice(request: ApprovalRow): readonly string[] {
	if (mayBecomeRule(request)) {
		return ['8 propose a rule from this call'];
	}

	return isRuleSubject(request) ? [`A rule can be made from it only at ${request.node ?? ''}.`] : [];
}

function isReadOut({cutBytes}: ApprovalRow, read: ApprovalDialog['read']): boolean {
	return cutBytes === 0 || read === 'whole';
}

/** An approval to be read out: who asks, what for, from where, then the numbered answers. */
export function approvalLines(dialog: ApprovalDialog, request: ApprovalRow): readonly string[] {
	const what =
		request.kind === 'sampling' ? `an answer of your model, ${request.tool}` : `tool ${shownName(request.tool, uncut)}`;
	const fromPayload = request.payloadPaths ?? [];
	const hidden = hiddenWords(request);
	return [
		`Permission required, request ${shownId(request.id)}: server ${request.server}, ${request.trust === 'untrusted' ? 'untrusted' : 'trusted'}, ${what}.`,
		`Asked by ${askedFromText(request)}.`,
		...(request.hints.destructiveHint === true ? ['The server marks this as destructive.'] : []),
		...(request.hints.openWorldHint === true ? ['The server says that this reaches other systems.'] : []),
		...(hidden.length > 0 ? [`Some arguments are not shown in full: ${hidden.join(', ')}.`] : []),
		...markedWords(request).map(words => `${words}: ${markedMeaning}.`),
		`Arguments, ${bytesWords(request)}:`,
		...argumentLines(request.arguments),
		...(fromPayload.length > 0 ? [`Copied word for word from the untrusted payload: ${fromPayload.join(', ')}.`] : []),
		...(request.rule ? [`A rule asks, so it can only be allowed once: ${request.rule.words}.`] : []),
		...foreignLines('The definition has changed since it was allowed', request.definitionChange),
		...foreignLines('Description by the server', request.description),
		...choicesOf(dialog, request),
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
		case 'always':
			return alwaysLines(request);
		case 'once':
		case 'run':
		case 'session':
			return againLines(dialog.page, request);
		case 'choose':
			return choicesOf(dialog, request);
	}
}

function argumentLines(masked: JsonObject): readonly string[] {
	return indentJson(shownValue(masked)).split('\n');
}

/** Words of a server. Every line begins with whose they are, so that none can pass for one of ours. */
function foreignLines(whose: string, text: string | undefined): readonly string[] {
	return text === undefined || text === '' ? [] : text.split('\n').map(line => `${whose}: ${line}`);
}

function bytesWords({sentBytes}: ApprovalRow): string {
	return `${sentBytes.toLocaleString('en-US')} bytes`;
}

/** Whether a typed line asks to hear all of a request, which is then to be read from the gateway. */
export function asksForWhole({page}: ApprovalDialog, text: string): boolean {
	return page === 'choose' && text === '6';
}

/** What a typed line does with an approval. `whole` is all of the request, where it was asked for and the gateway still has it. */
export function approvalStep(
	dialog: ApprovalDialog,
	text: string,
	{request, whole}: {readonly request: ApprovalRow; readonly whole: WholeRequest | undefined},
): ScreenReaderStep {
	switch (dialog.page) {
		case 'reason':
			return answer(dialog, request, text === '' ? {kind: 'deny'} : {kind: 'deny', message: text});
		case 'always':
			return text === numberOf.always
				? answer(dialog, request, {kind: 'approve', scope: 'always'})
				: printed({...dialog, page: 'choose'}, ['Nothing was stored.', ...choicesOf(dialog, request)]);
		case 'once':
		case 'run':
		case 'session':
			return text === numberOf[dialog.page]
				? answer(dialog, request, {kind: 'approve', scope: dialog.page})
				: printed({...dialog, page: 'choose'}, ['Nothing was allowed.', ...choicesOf(dialog, request)]);
		case 'choose':
			return choose(dialog, text, {request, whole});
	}
}

function choose(dialog: ApprovalDialog, text: string, at: Parameters<typeof approvalStep>[2]): ScreenReaderStep {
	const {request} = at;
	const mayAllow = isReadOut(request, dialog.read);
	const scope = offeredScopes(request).find(one => numberOf[one] === text);
	if (scope && mayAllow) {
		return scope === 'always' ? printed({...dialog, page: scope}, alwaysLines(request)) : allow(dialog, request, scope);
	}

	switch (text) {
		case '1':
			return answer(dialog, request, {kind: 'deny'});
		case '2':
			return printed({...dialog, page: 'reason'}, ['Why? Type the reason and press Enter.']);
		case '6':
			return mayAllow || request.sentBytes > maxReadOutBytes ? undecided(dialog, text, request) : readOut(dialog, at);
		case '8':
			return mayAllow && mayBecomeRule(request) ? askForRule(dialog, request, []) : undecided(dialog, text, request);
		default:
			return undecided(dialog, text, request);
	}
}

function undecided(dialog: ApprovalDialog, text: string, request: ApprovalRow): ScreenReaderStep {
	return printed(dialog, [`${text === '' ? 'An empty line' : 'That'} decides nothing.`, ...choicesOf(dialog, request)]);
}

/** "Always" has a page of its own. */
type AskedAgain = Exclude<ApprovalScope, 'always'>;

/** Allows it, or asks a second time where the dashboard does. */
function allow(dialog: ApprovalDialog, request: ApprovalRow, scope: AskedAgain): ScreenReaderStep {
	return reasonsToAskTwice(request).length > 0
		? printed({...dialog, page: scope}, againLines(scope, request))
		: answer(dialog, request, {kind: 'approve', scope});
}

function againLines(scope: AskedAgain, request: ApprovalRow): readonly string[] {
	const reasons = reasonsToAskTwice(request).join(', ');
	return [
		`Are you sure? ${reasons}.`,
		`Type ${numberOf[scope]} again within 5 s to allow it; anything else goes back.`,
	];
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
		return printed(dialog, ['The gateway no longer has this request.', ...choicesOf(dialog, request)]);
	}

	const hidden = hiddenWords(whole);
	const read = {...dialog, read: 'whole'} as const;
	return printed(read, [
		`The whole request ${shownId(request.id)}, ${bytesWords(request)}${hidden.length > 0 ? `, ${hidden.join(', ')}` : ''}:`,
		...argumentLines(whole.arguments),
		'End of the request.',
		...choicesOf(read, request),
	]);
}

function answer(dialog: ApprovalDialog, request: ApprovalRow, verdict: Verdict): ScreenReaderStep {
	const {id, argumentsHash, profile} = request;
	return {
		dialog: {...dialog, page: 'choose'},
		commands: [{type: 'answer-approval', id, argumentsHash, verdict, profile}],
		lines: [],
	};
}

function printed(dialog: ApprovalDialog, lines: readonly string[]): ScreenReaderStep {
	return {dialog, commands: [], lines};
}
