import {type SentArguments} from '../config/read/remote-config.ts';
import {type RemoteMessage, type RemotePart, type RemoteStep} from '../journal/rows/remote-rows.ts';
import {type ApprovalRequest} from '../state/approval-event.ts';
import {buttonValue} from './button-value.ts';
import {type Channel, type ChannelMessage, type MessageButton} from './channel.ts';
import {type ChoiceNumbers, chooseNumbers} from './choice-numbers.ts';
import {type RequestChoice, requestChoice, type RequestText, requestText, textParts} from './request-message.ts';

/** A message as it is sent first, and what it offers. */
export type ComposedMessage = {readonly parts: readonly RemotePart[]; readonly step: RemoteStep};

type Fits = Channel['fits'];

/** Any three numbers: messages with them are of the same length. */
const anyNumbers: ChoiceNumbers = {numbers: [10, 11, 12], right: 0};

/** The message about a request: it offers to allow it only if its second step, too, fits into one message with every byte, and has numbers to choose from. */
export function composeRequest(
	request: ApprovalRequest,
	{send, fits}: {readonly send: SentArguments; readonly fits: Fits},
): ComposedMessage {
	const offer = requestChoice(request, send);
	if (offer.kind === 'allow') {
		const text = requestText(request, {send, offer});
		const parts = textParts(text);
		const why = refusalByText(text, parts, fits);
		return why === undefined
			? {parts, step: {kind: 'first', offers: 'allow'}}
			: denyOnly(request, {send, offer: {kind: 'deny', why}, fits});
	}

	return denyOnly(request, {send, offer, fits});
}

function refusalByText({foreign}: RequestText, parts: readonly RemotePart[], fits: Fits): string | undefined {
	if (!fits(choosingMessage(parts, anyNumbers, ''))) {
		return 'it is too long for a message';
	}

	return chooseNumbers(foreign, () => 0) ? undefined : 'its text has too many numbers';
}

function denyOnly(
	request: ApprovalRequest,
	{send, offer, fits}: {readonly send: SentArguments; readonly offer: RequestChoice; readonly fits: Fits},
): ComposedMessage {
	return {
		parts: fittedParts(requestText(request, {send, offer}), fits),
		step: {kind: 'first', offers: 'deny'},
	};
}

/** The text, with the end of its foreign part left out where all of it does not fit. */
export function fittedParts(text: RequestText, fits: Fits): readonly RemotePart[] {
	const partsOf = (characters: number) => textParts({...text, foreign: headOf(text.foreign, characters)});
	// The longest message that follows has an outcome and as many buttons.
	const fitsWith = (characters: number) => fits(choosingMessage(partsOf(characters), anyNumbers, ''));
	let [low, high] = [0, text.foreign.length];
	while (low < high) {
		const middle = Math.ceil((low + high) / 2);
		[low, high] = fitsWith(middle) ? [middle, high] : [low, middle - 1];
	}

	return partsOf(low);
}

function headOf(text: string, characters: number): string {
	if (text.length <= characters) {
		return text;
	}

	const end = /[\uD800-\uDBFF]/u.test(text.charAt(characters - 1)) ? characters - 1 : characters;
	return `${text.slice(0, end)}\n‹${text.length - end} more characters›`;
}

/** A message as it stands in the chat now, with the buttons of its step. `nonce` names it to them. */
export function messageOf(
	{subject, step, parts}: Pick<RemoteMessage, 'subject' | 'step' | 'parts'>,
	nonce: string,
): ChannelMessage {
	if (subject.kind === 'summary') {
		const label = subject.requests.length === 1 ? 'Deny it' : `Deny all ${subject.requests.length}`;
		return {
			parts,
			buttons: [
				[
					{label, value: buttonValue(nonce, 'deny-all'), tone: 'danger'},
					{label: 'Hold', value: buttonValue(nonce, 'hold'), tone: 'plain'},
				],
			],
		};
	}

	if (subject.kind !== 'approval') {
		return {parts, buttons: []};
	}

	if (step.kind === 'choosing') {
		return choosingMessage(parts, step, nonce);
	}

	const allow: MessageButton = {label: 'Allow…', value: buttonValue(nonce, 'allow'), tone: 'plain'};
	return {parts, buttons: [[...(step.offers === 'allow' ? [allow] : []), denyButton(nonce)]]};
}

function denyButton(nonce: string): MessageButton {
	return {label: 'Deny', value: buttonValue(nonce, 'deny'), tone: 'danger'};
}

const choices = ['0', '1', '2'] as const;

/** The second step: three numbers, of which the last line names the right one. */
function choosingMessage(parts: readonly RemotePart[], {numbers, right}: ChoiceNumbers, nonce: string): ChannelMessage {
	const buttons = choices.map((action, index) => ({
		label: String(numbers[index]),
		value: buttonValue(nonce, action),
		tone: 'plain' as const,
	}));
	return {
		parts: [...parts, {kind: 'own', text: `To allow it once, press ${numbers[right]}. Another number denies it`}],
		buttons: [buttons, [denyButton(nonce)]],
	};
}

/** The message with its outcome, and nothing to press. Where both do not fit, the outcome is what stays. */
export function endedMessage({parts, outcome}: Pick<RemoteMessage, 'parts' | 'outcome'>, fits: Fits): ChannelMessage {
	const {text = '', foreign = ''} = outcome ?? {};
	const end: readonly RemotePart[] = [
		{kind: 'own', text},
		...(foreign === '' ? [] : [{kind: 'foreign', text: foreign} as const]),
	];
	const [first] = parts;
	const head = first?.kind === 'own' ? [first] : [];
	const forms = [
		[...parts, ...end],
		[...head, ...end],
		[...head, ...end.slice(0, 1)],
	];
	const message = (form: readonly RemotePart[]): ChannelMessage => ({parts: form, buttons: []});
	return forms.map(message).find(fits) ?? message(end.slice(0, 1));
}
