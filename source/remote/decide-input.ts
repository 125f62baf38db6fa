import {type RemoteMessage, type RemoteRequest} from '../journal/rows/remote-rows.ts';
import {safeText} from '../util/safe-text.ts';
import {type ButtonAction, nonceHash, parseButtonValue} from './button-value.ts';
import {type ChannelInput} from './channel.ts';

/** The facts besides message and input. Times are milliseconds since the epoch. */
export type InputContext = {
	readonly now: number;
	/** True while everything is held. */
	readonly isHeld: boolean;
	/** Ids of the persons who may decide. */
	readonly approvers: readonly string[];
};

/** The effect of an input. `note` tells the person who pressed, and nobody else. */
export type InputEffect =
	| {readonly kind: 'nothing'; readonly note?: string}
	/** The message is changed to three numbers. */
	| {readonly kind: 'ask-for-number'}
	| {readonly kind: 'allow'; readonly request: RemoteRequest}
	| {readonly kind: 'deny'; readonly requests: readonly RemoteRequest[]; readonly message?: string}
	| {readonly kind: 'hold'}
	| {readonly kind: 'answer'; readonly to: 'question' | 'inbox'; readonly id: string; readonly text: string};

/** The time after the edit in which no number counts: a press may have been meant for what stood there before. */
export const settleMilliseconds = 1000;

/** Texts of persons are no longer than this. */
const maxTextCharacters = 2000;

/** The notes for a person whose press decides nothing. */
export const notes = {
	old: 'This message does not decide anything any more',
	stranger: 'You are not one of those who may decide here',
	held: 'Everything is held; nothing can be allowed until somebody releases it at a console',
	early: 'Too early: look at the numbers, and press again',
	expired: 'Its time is over',
	wrongNumber: 'a wrong number was chosen',
} as const;

const nothing: InputEffect = {kind: 'nothing'};
const note = (text: string): InputEffect => ({kind: 'nothing', note: text});

/**
Decides what an input does to the message at its address, if there is one. Everything has to agree: the message is open and of that chat, the random value
in its buttons is the one that was sent, its time is not over, the person may decide, and the message has that button in its present step.
*/
export function decideInput(
	message: RemoteMessage | undefined,
	input: ChannelInput,
	{now, isHeld, approvers}: InputContext,
): InputEffect {
	const {act, person, address} = input;
	if (act.kind === 'private-message') {
		return nothing;
	}

	const isSame = message?.chat === address.chat && message.message === address.message;
	if (!message || !isSame || input.isOld || message.state !== 'open') {
		return act.kind === 'press' ? note(notes.old) : nothing;
	}

	if (!approvers.includes(person.id)) {
		return note(notes.stranger);
	}

	if (message.expiresAt !== null && now >= message.expiresAt && !isHeld) {
		return note(notes.expired);
	}

	return act.kind === 'reply' ? decideReply(message, act.text) : decidePress(message, act.value, {now, isHeld});
}

function decideReply({subject}: RemoteMessage, written: string): InputEffect {
	const text = safeText(written.trim(), {maximumCharacters: maxTextCharacters, multiline: true});
	const [request] = subject.requests;
	if (text === '' || !request) {
		return nothing;
	}

	switch (subject.kind) {
		case 'question':
		case 'inbox':
			return {kind: 'answer', to: subject.kind, id: request.id, text};
		case 'summary':
			return isHoldWord(text) ? {kind: 'hold'} : nothing;
		case 'approval':
			return isHoldWord(text) ? {kind: 'hold'} : {kind: 'deny', requests: [request], message: text};
		case 'notice':
			return nothing;
	}
}

function isHoldWord(text: string): boolean {
	return text.toLowerCase() === 'hold';
}

function decidePress(
	message: RemoteMessage,
	value: string,
	context: Pick<InputContext, 'now' | 'isHeld'>,
): InputEffect {
	const parsed = parseButtonValue(value);
	if (!parsed || nonceHash(parsed.nonce) !== message.nonceHash) {
		return note(notes.old);
	}

	const {subject} = message;
	const {action} = parsed;
	if (subject.kind === 'summary') {
		return decideSummary(subject.requests, action);
	}

	const [request] = subject.requests;
	return subject.kind === 'approval' && request ? decideRequest(message, request, {...context, action}) : nothing;
}

function decideSummary(requests: readonly RemoteRequest[], action: ButtonAction): InputEffect {
	switch (action) {
		case 'deny-all':
			return {kind: 'deny', requests};
		case 'hold':
			return {kind: 'hold'};
		case 'allow':
		case 'deny':
		case '0':
		case '1':
		case '2':
			return nothing;
	}
}

function decideRequest(
	{step}: Pick<RemoteMessage, 'step'>,
	request: RemoteRequest,
	{action, now, isHeld}: Pick<InputContext, 'now' | 'isHeld'> & {readonly action: ButtonAction},
): InputEffect {
	switch (action) {
		case 'deny':
			return {kind: 'deny', requests: [request]};
		case 'allow':
			if (step.kind !== 'first' || step.offers !== 'allow') {
				return nothing;
			}

			return isHeld ? note(notes.held) : {kind: 'ask-for-number'};
		case '0':
		case '1':
		case '2':
			if (step.kind !== 'choosing') {
				return nothing;
			}

			if (isHeld) {
				return note(notes.held);
			}

			if (step.countsFrom === null || now < step.countsFrom) {
				return note(notes.early);
			}

			return Number(action) === step.right
				? {kind: 'allow', request}
				: {kind: 'deny', requests: [request], message: notes.wrongNumber};
		case 'deny-all':
		case 'hold':
			return nothing;
	}
}
