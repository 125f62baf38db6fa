import {addressBelow} from '../net/address-below.ts';
import {cutText, isJsonObject, isList, type JsonObject, type JsonValue, ownMember} from '../util/json-text.ts';
import {
	type Channel,
	type ChannelInput,
	type ChannelListener,
	type ChannelState,
	type MessageAddress,
	type MessageEnd,
} from './channel.ts';
import {type ChannelCheck, type TelegramSettings} from './channel-settings.ts';
import {createPauses} from './pauses.ts';
import {type ChannelTools} from './platform-call.ts';
import {endOfTelegram, readTelegram, type TelegramAnswer, telegramTrouble, webhookText} from './telegram-answer.ts';
import {fitsTelegram, toTelegram} from './telegram-message.ts';
import {isTelegramId, readUpdate} from './telegram-update.ts';

/** Telegram holds a poll for so long when there is no update; the request itself may take longer. */
const pollSeconds = 25;
const pollLimitMilliseconds = 40_000;

/** Updates of one poll, so that the longest ones fit into the answer. After an answer that cannot be read: one. */
const usualUpdates = 20;
const answerLimitBytes = 8_388_608;

type Method = (
	method: string,
	parameters: JsonObject,
	options: {readonly signal: AbortSignal; readonly limitMilliseconds?: number},
) => Promise<TelegramAnswer>;

function createMethod({token, baseUrl}: TelegramSettings, {call}: Pick<ChannelTools, 'call'>): Method {
	const base = new URL(baseUrl).href;
	return async (method, json, options) => {
		const url = addressBelow(base, [`bot${token}`, method]);
		return readTelegram(await call({url, json, answerLimitBytes, ...options}));
	};
}

/** Creates a channel of the Bot API (core.telegram.org/bots/api), which receives by long polling. Throws when `baseUrl` is not a URL. */
export function createTelegram(settings: TelegramSettings, tools: ChannelTools): Channel {
	const method = createMethod(settings, tools);
	const sendTo = async (chat: string, ...[message, signal]: Parameters<Channel['send']>): Promise<MessageEnd> => {
		const parameters = {chat_id: chat, protect_content: true, ...toTelegram(message)};
		const answer = await method('sendMessage', parameters, {signal});
		return endOfTelegram(answer, sentAddress(answer));
	};

	return {
		fits: fitsTelegram,
		receive: (listener, signal) => receive({settings, tools, method, listener}, signal),
		send: (message, signal) => sendTo(settings.chat, message, signal),
		sendToPerson: sendTo,
		async edit(address, message, signal) {
			const place = {chat_id: address.chat, message_id: Number(address.message)};
			return endOfTelegram(await method('editMessageText', {...place, ...toTelegram(message)}, {signal}), address);
		},
		async acknowledge({act, address, person}, text, signal) {
			if (act.kind === 'press') {
				// At most 200 characters (#answercallbackquery).
				const parameters = {callback_query_id: act.press, ...(text === '' ? {} : {text: cutText(text, 200)})};
				await method('answerCallbackQuery', parameters, {signal});
			} else if (text !== '' && address.chat === person.id) {
				// A group has no message that one person alone sees.
				await method('sendMessage', {chat_id: address.chat, text: cutText(text, 2000)}, {signal});
			}
		},
	};
}

/** The address of a message that was sent; undefined when the answer has none that can be used (#message: an id 0 is scheduled). */
function sentAddress(answer: TelegramAnswer): MessageAddress | undefined {
	const sent = answer.kind === 'ok' && isJsonObject(answer.result) ? answer.result : {};
	const {message_id: message, chat} = sent;
	const id = isJsonObject(chat) ? chat['id'] : undefined;
	return isTelegramId(message) && message !== 0 && isTelegramId(id)
		? {chat: String(id), message: String(message)}
		: undefined;
}

type Receiver = {
	readonly settings: TelegramSettings;
	readonly tools: ChannelTools;
	readonly method: Method;
	readonly listener: ChannelListener;
};

/**
Polls until the signal aborts. An update is confirmed by the poll after it, so it comes again if the gateway ends in between; that poll alone has an
offset: after a week without updates their ids begin anywhere, also below it.
*/
async function receive({settings, tools, method, listener}: Receiver, signal: AbortSignal): Promise<void> {
	const pauses = createPauses(tools.clock, tools.random);
	const show = createStateFilter(listener.onState);
	let isOld = true;
	let offset: number | undefined;
	let limit = usualUpdates;
	show({kind: 'connecting'});
	while (!signal.aborted) {
		const confirmed: JsonObject = offset === undefined ? {} : {offset};
		const parameters = {
			...confirmed,
			limit,
			timeout: isOld ? 0 : pollSeconds,
			allowed_updates: ['message', 'callback_query'],
		};
		const answer = await method('getUpdates', parameters, {signal, limitMilliseconds: pollLimitMilliseconds});
		if (signal.aborted) {
			return;
		}

		const updates = answer.kind === 'ok' && isUpdates(answer.result) ? answer.result : undefined;
		if (!updates) {
			const trouble = telegramTrouble(answer, 'getUpdates');
			show(trouble.state);
			if (trouble.state.kind === 'rejected') {
				return;
			}

			limit = answer.kind === 'none' ? 1 : usualUpdates;
			await pauses.wait(signal, trouble.leastMilliseconds);
			continue;
		}

		pauses.reset();
		listener.onAlive();
		show({kind: 'connected'});
		limit = usualUpdates;
		offset = updates.length === 0 ? undefined : Math.max(...updates.map(({update_id: id}) => id)) + 1;
		if (updates.length === 0 && isOld) {
			isOld = false;
			listener.onCurrent();
		}

		for (const update of updates) {
			const moved = await report(update, {isOld, settings, listener});
			if (moved) {
				show(moved);
				return;
			}

			if (signal.aborted) {
				return;
			}
		}
	}
}

/** Reports one update. Returns the last state of the channel when its group is no longer there. */
async function report(
	update: JsonValue,
	{isOld, settings, listener}: {readonly isOld: boolean} & Pick<Receiver, 'settings' | 'listener'>,
): Promise<ChannelState | undefined> {
	const meaning = readUpdate(update);
	switch (meaning.kind) {
		case 'input':
			await listener.onInput({...meaning.input, isOld} satisfies ChannelInput);
			return undefined;
		case 'ignored':
			listener.onNotice?.(meaning.reason);
			return undefined;
		case 'other':
			return undefined;
		case 'migrated': {
			const message = `The group is now a supergroup; set \`chat\` to "${meaning.to}"`;
			return meaning.from === settings.chat ? {kind: 'rejected', message} : undefined;
		}
	}
}

type Update = JsonObject & {readonly update_id: number};

/** True for a list of updates that can be confirmed. */
function isUpdates(result: JsonValue): result is readonly Update[] {
	return (
		isList(result) &&
		result.every(update => isJsonObject(update) && Number.isSafeInteger(ownMember(update, 'update_id')))
	);
}

/** Passes on a state that differs from the one before. */
function createStateFilter(onState: ChannelListener['onState']): ChannelListener['onState'] {
	let shown = '';
	return state => {
		const text = JSON.stringify(state);
		if (text !== shown) {
			shown = text;
			onState(state);
		}
	};
}

/** Checks token, webhook and chat of a bot, and changes nothing. */
export async function checkTelegram(
	settings: TelegramSettings,
	tools: Pick<ChannelTools, 'call'>,
	signal: AbortSignal,
): Promise<ChannelCheck> {
	const method = createMethod(settings, tools);
	const bot = await method('getMe', {}, {signal});
	const name = bot.kind === 'ok' && isJsonObject(bot.result) ? bot.result['username'] : undefined;
	if (typeof name !== 'string' || !/^\w{1,64}$/u.test(name)) {
		return {kind: 'problem', message: telegramTrouble(bot, 'getMe').state.message};
	}

	const webhook = await method('getWebhookInfo', {}, {signal});
	if (webhook.kind !== 'ok' || !isJsonObject(webhook.result)) {
		return {kind: 'problem', message: telegramTrouble(webhook, 'getWebhookInfo').state.message};
	}

	if (webhook.result['url'] !== '') {
		return {kind: 'problem', message: webhookText};
	}

	const fault =
		settings.chat === '' ? undefined : chatFault(await method('getChat', {chat_id: settings.chat}, {signal}));
	return fault === undefined ? {kind: 'ok', name: `@${name}`} : {kind: 'problem', message: fault};
}

/** The reason that nobody can answer in a chat. */
function chatFault(chat: TelegramAnswer): string | undefined {
	if (chat.kind === 'none') {
		return telegramTrouble(chat, 'getChat').state.message;
	}

	if (chat.kind === 'failed') {
		return `${telegramTrouble(chat, 'getChat').state.message}. Check \`chat\`, and that the bot is in that chat or was started there`;
	}

	return isJsonObject(chat.result) && chat.result['type'] === 'channel'
		? '`chat` is a channel, in which nobody can answer; use a group or a private chat'
		: undefined;
}
