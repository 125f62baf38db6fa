import {createHash} from 'node:crypto';
import {type JsonObject} from '../util/json-text.ts';
import {randomId} from '../util/random-id.ts';
import {chooseChat} from './chat.ts';
import {type SendOutcome} from './send-outcome.ts';
import {type PartOptions, sendPart} from './send-part.ts';
import {splitText} from './split-text.ts';
import {type SendContext} from './send-context.ts';
import {type DeliveryTarget, type Part} from './target.ts';

/** A whole message. Every text in it may come from outside. */
export type Message = {
	readonly text: string;
	/** `deliver_extra` of the route, rendered. */
	readonly extra: JsonObject;
	readonly route: string;
	/** The same for every attempt at this message, and for no other message; default: a fresh one. */
	readonly key?: string;
};

const numberCharacters = 10;

/** Sends a message in as many parts as the platform needs, one after the other. A part that fails ends it; after others arrived that is `unknown`, and the detail says how many did. */
export async function sendMessage(
	target: DeliveryTarget,
	message: Message,
	options: Omit<PartOptions, 'repeat'> & {readonly context: (signal: AbortSignal) => SendContext},
): Promise<SendOutcome> {
	const {extra, route, key = randomId()} = message;
	const context = options.context(options.signal);
	const choice = chooseChat(target.chat(context.settings), {extra, settings: context.settings});
	const refusal = choice.kind === 'refused' ? choice.detail : target.refuse?.(extra);
	if (refusal !== undefined || choice.kind === 'refused') {
		return {kind: 'refused', detail: refusal ?? 'no chat'};
	}

	if (choice.warning !== undefined) {
		context.publish({type: 'log', level: 'warning', area: 'delivery', text: `${target.name}: ${choice.warning}`});
	}

	const parts = partsOf(target, message.text);
	for (const [index, text] of parts.entries()) {
		const repeatKey = createHash('sha256').update(`${key}\n${choice.chat}\n${index}`).digest('hex').slice(0, 24);
		const part: Part = {text, chat: choice.chat, extra, route, index, repeatKey};
		const outcome = await sendPart(signal => target.send(part, options.context(signal)), {
			...options,
			repeat: target.repeat({settings: context.settings, chat: choice.chat}),
		});
		if (outcome.kind !== 'sent') {
			return index === 0 ? outcome : afterParts(outcome.detail, index, parts.length);
		}
	}

	const isEmpty = parts.length === 0 && target.name !== 'log';
	return isEmpty ? {kind: 'refused', detail: 'the message is empty'} : {kind: 'sent'};
}

/** However a later part ended, something arrived: a repetition by itself would bring the first parts twice. */
function afterParts(detail: string, arrived: number, all: number): SendOutcome {
	return {kind: 'unknown', detail: `${arrived} of ${all} parts arrived; then: ${detail}`};
}

function partsOf({limit, parts}: DeliveryTarget, written: string): readonly string[] {
	const text = sendableText(written);
	if (parts !== 'numbered') {
		return splitText(text, limit);
	}

	const pieces = splitText(text, {...limit, maximum: limit.maximum - numberCharacters});
	return pieces.length === 1 ? pieces : pieces.map((piece, index) => `(${index + 1}/${pieces.length}) ${piece}`);
}

/** No platform takes control characters or halves of characters: the former are shown as the signs that stand for them. Blanks alone are no message. */
function sendableText(text: string): string {
	const redact = text
		.toWellFormed()
		.replaceAll(/\r\n?/gu, '\n')
		.replaceAll(/[^\P{Cc}\n\t]/gu, sign => {
			const code = sign.codePointAt(0) ?? 0;
			return code < 0x20 ? String.fromCodePoint(0x24_00 + code) : code === 0x7f ? '␡' : '\uFFFD';
		});
	return redact.trim() === '' ? '' : redact;
}
