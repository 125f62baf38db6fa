import {createHash} from 'node:crypto';
import {type EventCaller} from '../state/event-caller.ts';
import {type Clock, openDeadline, sleep, untilAborted} from '../util/clock.ts';
import {type JsonObject} from '../util/json-text.ts';
import {errorText, Problem} from '../util/problem.ts';
import {randomId} from '../util/random-id.ts';
import {chooseChat} from './chat.ts';
import {nextStep} from './next-attempt.ts';
import {type SendOutcome} from './send-outcome.ts';
import {splitText} from './split-text.ts';
import {type DeliveryTarget, type Part, type SendContext} from './target.ts';

/** A whole message. Its texts may be untrusted. */
export type Message = {
	readonly text: string;
	/** `deliver_extra` of the route, rendered. */
	readonly extra: JsonObject;
	readonly route: string;
	/** For the target `caller`. */
	readonly caller?: EventCaller | undefined;
	/** The same for every attempt at this message, and for no other message; default: a new one. */
	readonly key?: string;
};

/** Number of parts of a message that arrived, and of all its parts. */
export type SentParts = {readonly sent: number; readonly all: number};

/** The parts that arrived at earlier attempts, where they are recorded; `onSent` resolves when one more is. The message goes on behind them. */
export type RecordedParts = {
	readonly before?: SentParts | undefined;
	readonly onSent: (parts: SentParts) => Promise<void>;
};

type PartOptions = {
	readonly clock: Clock;
	/** Aborts at the deadline of the delivery, and when the gateway stops. */
	readonly signal: AbortSignal;
	/** `clock.elapsed()` at the deadline. */
	readonly endsAt: number;
	readonly repeat: 'safe' | 'unsafe';
	readonly forgetTokens: () => void;
};

/** For part numbers: `(12/20) `. */
const numberCharacters = 10;

/** The time limit of an attempt that can be repeated, so that an unresponsive platform leaves time for a retry. */
const repeatableSeconds = 12;

/** Sends a message in as many parts as the platform needs, in order. A failed part ends the message; if earlier parts arrived and are not recorded, the outcome is `unknown`, and the detail says how many. */
export async function sendMessage(
	target: DeliveryTarget,
	message: Message,
	options: Omit<PartOptions, 'repeat'> & {
		readonly context: (signal: AbortSignal) => SendContext;
		readonly recorded?: RecordedParts | undefined;
	},
): Promise<SendOutcome> {
	const {extra, route, caller, key = randomId()} = message;
	const context = options.context(options.signal);
	const choice = chooseChat(target.chat(context.settings), {extra, settings: context.settings});
	const refusal = choice.kind === 'refused' ? choice.detail : target.refuse?.(extra);
	if (refusal !== undefined || choice.kind === 'refused') {
		return {kind: 'refused', detail: refusal ?? 'no chat', cause: 'settings'};
	}

	if (choice.warning !== undefined) {
		context.publish({type: 'log', level: 'warning', area: 'delivery', text: `${target.name}: ${choice.warning}`});
	}

	const {recorded} = options;
	const parts = partsOf(target, message.text);
	const {sent: first, all} = recorded?.before ?? {sent: 0, all: parts.length};
	if (all !== parts.length) {
		return {kind: 'unknown', detail: `${first} of ${all} parts arrived, and the message has ${parts.length} parts now`};
	}

	for (const [index, text] of [...parts.entries()].slice(first)) {
		const repeatKey = createHash('sha256').update(`${key}\n${choice.chat}\n${index}`).digest('hex').slice(0, 24);
		const part: Part = {text, chat: choice.chat, extra, route, caller, index, repeatKey};
		const outcome = await sendPart(signal => sendOnce(target, part, options.context(signal)), {
			...options,
			repeat: target.repeat({settings: context.settings, chat: choice.chat}),
		});
		if (outcome.kind !== 'sent') {
			return index === 0 ? outcome : afterParts(outcome, {sent: index, all: parts.length}, recorded);
		}

		if (index < parts.length - 1) {
			await recorded?.onSent({sent: index + 1, all: parts.length});
		}
	}

	const isEmpty = parts.length === 0 && target.name !== 'log';
	return isEmpty ? {kind: 'refused', detail: 'the message is empty'} : {kind: 'sent'};
}

/** Something arrived, however the later part ended: where the parts are not recorded, a retry would send the first ones twice. */
function afterParts(
	outcome: Exclude<SendOutcome, {kind: 'sent'}>,
	{sent, all}: SentParts,
	recorded: RecordedParts | undefined,
): SendOutcome {
	const detail = `${sent} of ${all} parts arrived; then: ${outcome.detail}`;
	return recorded ? {...outcome, detail} : {kind: 'unknown', detail};
}

function partsOf({limit, parts}: DeliveryTarget, written: string): readonly string[] {
	const text = sendableText(written);
	if (parts !== 'numbered') {
		return splitText(text, limit);
	}

	const pieces = splitText(text, {...limit, maximum: limit.maximum - numberCharacters});
	return pieces.length === 1 ? pieces : pieces.map((piece, index) => `(${index + 1}/${pieces.length}) ${piece}`);
}

/** The text without characters that platforms refuse: a control character becomes its visible symbol, a lone surrogate U+FFFD. A blank text becomes empty. */
function sendableText(text: string): string {
	const sendable = text
		.toWellFormed()
		.replaceAll(/\r\n?/gu, '\n')
		.replaceAll(/[^\P{Cc}\n\t]/gu, character => {
			const code = character.codePointAt(0) ?? 0;
			return code < 0x20 ? String.fromCodePoint(0x24_00 + code) : code === 0x7f ? '␡' : '\uFFFD';
		});
	return sendable.trim() === '' ? '' : sendable;
}

/** Sends one part, with the attempts `next-attempt.ts` allows. Never rejects. */
async function sendPart(
	attempt: (signal: AbortSignal) => Promise<SendOutcome>,
	options: PartOptions,
): Promise<SendOutcome> {
	const {clock, signal, endsAt, repeat, forgetTokens} = options;
	const tried = new Set<SendOutcome['kind']>();
	for (;;) {
		const limit = repeat === 'safe' && !tried.has('unknown') ? repeatableSeconds * 1000 : undefined;
		const outcome = await attemptWithin(attempt, {clock, signal, limit});
		const remainingSeconds = signal.aborted ? 0 : (endsAt - clock.elapsed()) / 1000;
		const step = nextStep(outcome, {tried, repeat, remainingSeconds});
		if (step.kind === 'stop') {
			return outcome;
		}

		tried.add(outcome.kind);
		if (outcome.kind === 'stale-token') {
			forgetTokens();
		}

		try {
			await (step.waitSeconds > 0 ? sleep(clock, step.waitSeconds * 1000, signal) : undefined);
		} catch {
			return outcome;
		}
	}
}

/** A target that fails before its first request has sent nothing: the platform's settings are wrong. */
async function sendOnce(target: DeliveryTarget, part: Part, context: SendContext): Promise<SendOutcome> {
	let phase: 'preparing' | 'sending' = 'preparing';
	const call: SendContext['call'] = request => {
		phase = 'sending';
		return context.call(request);
	};

	try {
		return await target.send(part, {...context, call});
	} catch (caught) {
		const detail = errorText(caught);
		const isRefused = isPreparing(phase) && !context.signal.aborted;
		return isRefused ? {kind: 'refused', detail, cause: 'settings'} : {kind: 'unknown', detail};
	}
}

/** Asked by a function, because the checker does not follow what `call` changes. */
function isPreparing(phase: 'preparing' | 'sending'): boolean {
	return phase === 'preparing';
}

/** One attempt. A target that does not respond in time may have sent the part. */
async function attemptWithin(
	attempt: (signal: AbortSignal) => Promise<SendOutcome>,
	{clock, signal, limit}: {readonly clock: Clock; readonly signal: AbortSignal; readonly limit: number | undefined},
): Promise<SendOutcome> {
	if (signal.aborted) {
		return {kind: 'unavailable', detail: errorText(signal.reason)};
	}

	const seconds = (limit ?? 0) / 1000;
	const reason = () => new Problem('delivery_failed', {message: `no answer within ${seconds} seconds`});
	const deadline = limit === undefined ? undefined : openDeadline(clock, limit, {signal, reason});
	const ends = deadline?.signal ?? signal;
	try {
		return await untilAborted(attempt(ends), ends);
	} catch (caught) {
		return {kind: 'unknown', detail: errorText(ends.aborted ? ends.reason : caught)};
	} finally {
		deadline?.cancel();
	}
}
