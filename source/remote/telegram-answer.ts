import {isJsonObject, type JsonValue} from '../util/json-text.ts';
import {type ChannelState, type MessageAddress, type MessageEnd} from './channel.ts';
import {endWithoutAnswer, type PlatformCall, quotedReason, troubleText} from './platform-call.ts';
import {isTelegramId} from './telegram-update.ts';

type Reply = Awaited<ReturnType<PlatformCall>>;

/** The answer to a method (core.telegram.org/bots/api#making-requests). `none`: no answer of the Bot API came. */
export type TelegramAnswer =
	| {readonly kind: 'ok'; readonly result: JsonValue; readonly reply: Reply}
	| {
			readonly kind: 'failed';
			readonly code: number;
			/** Words of Telegram. */
			readonly description: string;
			/** In milliseconds. */
			readonly retryAfter?: number;
			/** The id of the supergroup that a group has become. */
			readonly migratedTo?: string;
	  }
	| {readonly kind: 'none'; readonly reply: Reply};

/** Reads an answer and its `ResponseParameters`. */
export function readTelegram(reply: Reply): TelegramAnswer {
	const json = reply.kind === 'reply' ? reply.json : {};
	const {ok, result, error_code: code, description, parameters} = json;
	if (ok === true && result !== undefined) {
		return {kind: 'ok', result, reply};
	}

	if (ok !== false || typeof code !== 'number') {
		return {kind: 'none', reply};
	}

	const {retry_after: seconds, migrate_to_chat_id: chat} = isJsonObject(parameters) ? parameters : {};
	return {
		kind: 'failed',
		code,
		description: typeof description === 'string' ? description : '',
		...(typeof seconds === 'number' && seconds >= 0 && {retryAfter: seconds * 1000}),
		...(isTelegramId(chat) && {migratedTo: String(chat)}),
	};
}

export const webhookText =
	'Updates of the bot go to a webhook that another program has set. Use a bot of its own for Sluice, or remove that webhook (deleteWebhook of the Bot API)';

/** The wait after a conflict: the other program may be a gateway that is just ending. */
const conflictMilliseconds = 5000;
const webhookMilliseconds = 60_000;

type Trouble = {
	readonly state: Extract<ChannelState, {kind: 'away' | 'rejected'}>;
	readonly leastMilliseconds?: number;
};

/** The state of the channel after a method that brought no usable result. */
export function telegramTrouble(answer: TelegramAnswer, method: string): Trouble {
	if (answer.kind !== 'failed') {
		return {state: {kind: 'away', message: troubleText('Telegram', answer.reply)}};
	}

	const {code, description, retryAfter} = answer;
	const reason = quotedReason(description);
	switch (code) {
		case 401:
		case 404:
			return {
				state: {
					kind: 'rejected',
					message: `Telegram rejected the token: ${reason}. Get a new one from @BotFather (/token) and replace \`token\``,
				},
			};
		case 409:
			return /webhook/iu.test(description)
				? {state: {kind: 'away', message: webhookText}, leastMilliseconds: webhookMilliseconds}
				: {
						state: {
							kind: 'away',
							message:
								'Another program polls the same bot, and takes answers of persons away. Stop it, or use a bot of its own for Sluice',
						},
						leastMilliseconds: conflictMilliseconds,
					};
		default:
			return {
				state: {kind: 'away', message: `Telegram refused ${method}: ${reason}`},
				...(retryAfter !== undefined && {leastMilliseconds: retryAfter}),
			};
	}
}

/** Words of Telegram for a message that can no longer be edited, or a chat that is not there. They are not documented, but stable. */
const goneReasons =
	/chat not found|message to edit not found|message can't be edited|message_id_invalid|peer_id_invalid|chat_write_forbidden/iu;

/** The end of a send or an edit; `address` is that of the message if it worked. */
export function endOfTelegram(answer: TelegramAnswer, address: MessageAddress | undefined): MessageEnd {
	if (answer.kind === 'none') {
		return endWithoutAnswer('Telegram', answer.reply);
	}

	if (answer.kind === 'ok') {
		return address
			? {kind: 'sent', address}
			: {kind: 'uncertain', message: 'Telegram took the message and did not say where it is'};
	}

	const {code, description, retryAfter, migratedTo} = answer;
	const message = `Telegram refused the message: ${quotedReason(description)}`;
	if (migratedTo !== undefined) {
		return {kind: 'gone', message: `The group is now a supergroup; set \`chat\` to "${migratedTo}"`};
	}

	if (code === 400 && /message is not modified/iu.test(description) && address) {
		return {kind: 'sent', address};
	}

	if (code === 403) {
		return {
			kind: 'gone',
			message: `${message}. Let the bot back into the chat: unblock it, or add it to the group again`,
		};
	}

	if (code === 400 && goneReasons.test(description)) {
		const remedy = /chat/iu.test(description)
			? '. Check `chat`, and that the bot is in that chat or was started there'
			: '';
		return {kind: 'gone', message: `${message}${remedy}`};
	}

	return code >= 500
		? {kind: 'uncertain', message}
		: {kind: 'refused', message, ...(retryAfter !== undefined && {retryAfter})};
}
