import {type SentArguments} from '../config/read/remote-config.ts';
import {type RemotePart} from '../journal/rows/remote-rows.ts';
import {type ApprovalRequest, liftedFor, offeredScopes} from '../state/approval-event.ts';
import {decisionFacts} from '../state/decision.ts';
import {counted} from '../state/number-text.ts';
import {askedFromText} from '../state/origin.ts';
import {type QuestionDetails} from '../state/person-event.ts';
import {exactHead, exactLine, isHead} from '../util/exact-text.ts';
import {shownId} from '../util/id-part.ts';
import {safeText, toolText, uncut} from '../util/safe-text.ts';
import {bytesText, shownValue} from '../util/shown-json.ts';
import {valueLines} from '../util/values/value-lines.ts';

/** The text of a message: a head of ours, foreign text, and lines of ours about the time and what can be done. */
export type RequestText = {
	readonly head: string;
	readonly foreign: string;
	readonly notes: readonly string[];
};

/** The choice that a message may offer. With `deny`, `why` says what keeps it from being allowed there. */
export type RequestChoice = {readonly kind: 'allow'} | {readonly kind: 'deny'; readonly why: string};

/** The order of parts: foreign text never comes last. */
export function textParts({head, foreign, notes}: RequestText): readonly RemotePart[] {
	const own = (text: string): readonly RemotePart[] => (text === '' ? [] : [{kind: 'own', text}]);
	return [
		...own(head),
		...(foreign === '' ? [] : [{kind: 'foreign', text: foreign} as const]),
		...own(notes.join('\n')),
	];
}

/**
Decides what the message about a request may offer, apart from its length. Allow is offered only if all of the arguments is in it, nothing of them is masked or
cut, the card of the window would offer `once`, the definition is as it was, and it lifts no limit beyond the run.
*/
export function requestChoice(request: ApprovalRequest, send: SentArguments): RequestChoice {
	const {maskedValues, cutBytes, tool, definitionChange} = request;
	const refusals: ReadonlyArray<readonly [boolean, string]> = [
		[send === 'names', 'the chat does not get the arguments'],
		[maskedValues > 0, `${counted(maskedValues, 'value')} of it ${maskedValues === 1 ? 'is' : 'are'} masked`],
		[cutBytes > 0, `${bytesText(cutBytes)} of it are not shown`],
		[isHead(tool), 'the name of the tool is cut'],
		[definitionChange !== undefined, 'the definition of the tool has changed'],
		[liftedFor(request) === 'today', 'it lifts a limit of the day'],
		[!offeredScopes(request).includes('once'), 'it may not be allowed once'],
	];
	const why = refusals.find(([isRefused]) => isRefused)?.[1];
	return why === undefined ? {kind: 'allow'} : {kind: 'deny', why};
}

/** The text about a request for an approval. Everything that a server, a client or a sender chose is in the foreign part. */
export function requestText(
	request: ApprovalRequest,
	{send, offer}: {readonly send: SentArguments; readonly offer: RequestChoice},
): RequestText {
	const {claims, trust, liftedFor: lifted, rule, marked} = decisionFacts(request);
	const facts = [
		toolText(request, uncut),
		[...claims, ...(trust === 'untrusted' ? ['untrusted server'] : []), ...marked].join(' · '),
		`from ${askedFromText(request)}`,
		rule === '' ? '' : `a rule asks: ${rule}`,
		lifted === undefined ? '' : `goes past a limit until the end of ${lifted}`,
	].filter(line => line !== '');
	const shown = send === 'arguments' ? argumentLines(request) : nameLines(request);
	return {
		head: `Approval #${shownId(request.id)} is asked for`,
		foreign: [...facts, '', ...shown].join('\n'),
		notes: [
			expiryNote(request.expiresAt),
			offer.kind === 'allow' ? '' : `Here it can only be denied: ${offer.why}`,
		].filter(note => note !== ''),
	};
}

/** Everything of the arguments, as the window shows it; values that stand in untrusted text have a sign before them. */
function argumentLines({arguments: masked, payloadPaths = [], sentBytes}: ApprovalRequest): readonly string[] {
	const {lines} = valueLines(shownValue(masked), {form: 'lines', paths: new Set(payloadPaths)});
	return [`arguments, ${bytesText(sentBytes)}`, ...lines.map(({text, marked}) => `${marked ? '» ' : '  '}${text}`)];
}

const maxNames = 40;
const maxNameCharacters = 100;

/** The names of the arguments, with their sizes where the whole value is known here. */
function nameLines(request: ApprovalRequest): readonly string[] {
	const {arguments: masked, payloadPaths = [], sentBytes, cutBytes, maskedValues} = request;
	const entries = Object.entries(masked);
	const isExact = cutBytes === 0 && maskedValues === 0;
	const isMarked = (name: string) =>
		payloadPaths.some(path => path === exactLine(name) || path.startsWith(`${exactLine(name)}.`));
	const lines = entries.slice(0, maxNames).map(([name, value]) => {
		const size = isExact ? ` · ${bytesText(Buffer.byteLength(JSON.stringify(value)))}` : '';
		return `${isMarked(name) ? '» ' : '  '}${exactHead(name, maxNameCharacters, exactLine)}${size}`;
	});
	const more = entries.length > maxNames ? [`  ${entries.length - maxNames} more`] : [];
	return [`names of arguments, ${bytesText(sentBytes)} in all`, ...lines, ...more];
}

/** The end of the time, in UTC: the reader may be in another time zone than the gateway. `expiresAt` is milliseconds since the epoch; null: none. */
export function expiryNote(expiresAt: number | null): string {
	return expiresAt === null ? '' : `Expires at ${utcTime(expiresAt)}`;
}

/** `16:40:05 UTC`. */
export function utcTime(time: number): string {
	return `${new Date(time).toISOString().slice(11, 19)} UTC`;
}

const maxQuestionCharacters = 2000;

/** The text about a question of a run. */
export function questionText({id, asker, message, fields, expiresAt}: QuestionDetails): RequestText {
	const options = fields.flatMap(field => (field.kind === 'choice' ? field.options : []));
	const choices = options.map(({title}, index) => `${index + 1}. ${title}`);
	return {
		head: `Question #${shownId(id)}`,
		foreign: [
			`from ${safeText(asker, {maximumCharacters: 200})}`,
			'',
			safeText(message, {maximumCharacters: maxQuestionCharacters, multiline: true}),
			...choices,
		].join('\n'),
		notes: [
			expiryNote(expiresAt),
			choices.length > 0
				? 'Reply to this message with the number of an answer, or in other words'
				: 'Reply to this message to answer',
		].filter(note => note !== ''),
	};
}

/** The text about a run that waits in the inbox because it has no model. */
export function inboxText({runId, prompt}: {readonly runId: string; readonly prompt: string}): RequestText {
	return {
		head: `Run #${shownId(runId)} waits in the inbox`,
		foreign: safeText(prompt, {maximumCharacters: maxQuestionCharacters, multiline: true}),
		notes: ['Reply to this message with the answer'],
	};
}

/** The text about many requests at once. */
export function summaryText(requests: readonly ApprovalRequest[]): RequestText {
	const shown = requests.slice(0, maxNames).map(request => `#${shownId(request.id)} ${toolText(request)}`);
	const more = requests.length > maxNames ? [`${requests.length - maxNames} more`] : [];
	return {
		head: `${counted(requests.length, 'request')} ${requests.length === 1 ? 'waits' : 'wait'} for an approval`,
		foreign: [...shown, ...more].join('\n'),
		notes: ['`Deny all` denies exactly these. `Hold` keeps everything back until somebody releases it at a console'],
	};
}
