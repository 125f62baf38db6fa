/*
A pretended Bot API, made from its documentation: https://core.telegram.org/bots/api#getupdates (offset, limit, timeout, allowed_updates; 409 beside a
webhook and for the older of two polls), #making-requests (`ok`, `error_code`, `description`, `parameters`), #callbackquery, #message.
*/
import {createServer, type IncomingMessage, type ServerResponse} from 'node:http';
import {type Clock, systemClock} from '../../../source/util/clock.ts';
import {listen} from '../../helpers/loopback.ts';
import {answerTrouble, type HttpTrouble, readJson, sendJson} from './http-troubles.ts';
import {createTelegramChats, Refused, type TelegramMessage} from './telegram-chats.ts';

export const telegramToken = '110201543:AAHdqTcvCH1vGWJxfSeofSAs0K5PALDsaw';

/** The next answer to a method, in place of its own: an error of the Bot API, a status without one, no answer at all, or its own and then a broken connection. */
type TelegramTrouble =
	| {readonly code: number; readonly description: string; readonly parameters?: object}
	| HttpTrouble
	| 'hang-up-after-taking';

const terminated = () =>
	new Refused(409, 'Conflict: terminated by other getUpdates request; make sure that only one bot instance is running');

type Poll = {readonly answer: () => void; readonly conflict: () => void};

/** Opens a pretended Bot API on loopback until the test ends, with one bot, and the private chat of person 456 as its chat. */
export async function openTelegramServer({
	clock = systemClock,
	chat = '456',
}: {
	readonly clock?: Clock;
	readonly chat?: string;
} = {}) {
	const chats = createTelegramChats();
	const updates: Array<{readonly update_id: number} & Readonly<Record<string, unknown>>> = [];
	const acknowledged: Array<{readonly press: string; readonly text: string}> = [];
	const troubles = new Map<string, TelegramTrouble[]>();
	const polls: Array<Readonly<Record<string, unknown>>> = [];
	const requests: string[] = [];
	let nextUpdate = 870_000_000;
	let nextPress = 1;
	let webhook = '';
	let token = telegramToken;
	let isSilent = false;
	let openPoll: Poll | undefined;
	chats.setChat(chat, chat.startsWith('-') ? 'group' : 'private');

	/** Adds an update as it is. */
	const push = (update: Readonly<Record<string, unknown>>) => {
		updates.push({update_id: nextUpdate++, ...update});
		openPoll?.answer();
	};

	const person = (id: number) => ({id, is_bot: false, first_name: `Person ${id}`});
	const bot = {id: Number(telegramToken.split(':')[0]), is_bot: true, first_name: 'Sluice', username: 'sluice_bot'};
	const chatObject = (id: string) => ({id: Number(id), type: chats.typeOf(id)});
	const date = () => Math.floor(clock.now() / 1000);
	const messageObject = ({id, chat: of, text}: TelegramMessage) => ({
		message_id: id,
		from: bot,
		chat: chatObject(of),
		date: date(),
		text,
	});

	const poll = (body: Readonly<Record<string, unknown>>, response: ServerResponse) => {
		polls.push(body);
		if (webhook !== '') {
			throw new Refused(
				409,
				"Conflict: can't use getUpdates method while webhook is active; use deleteWebhook to delete the webhook first",
			);
		}

		openPoll?.conflict();
		const {offset, limit = 100, timeout = 0} = body;
		if (typeof offset === 'number') {
			updates.splice(0, updates.findLastIndex(({update_id: id}) => id < offset) + 1);
		}

		const give = () => succeed(response, updates.slice(0, Number(limit)));
		if (updates.length > 0 || timeout === 0) {
			give();
			return;
		}

		const end = (act: () => void) => () => {
			openPoll = undefined;
			timer.cancel();
			act();
		};
		const answer = end(give);
		const timer = clock.after(Number(timeout) * 1000, answer);
		const conflict = end(() => fail(response, terminated()));
		openPoll = {answer, conflict};
		response.on('close', () => {
			timer.cancel();
			openPoll = openPoll?.answer === answer ? undefined : openPoll;
		});
	};

	const methods: Readonly<Record<string, (body: Readonly<Record<string, unknown>>) => unknown>> = {
		getMe: () => bot,
		getWebhookInfo: () => ({url: webhook, has_custom_certificate: false, pending_update_count: updates.length}),
		getChat: ({chat_id: id}) => chatObject(String(id)),
		sendMessage: body => messageObject(chats.send(body)),
		editMessageText: body => messageObject(chats.edit(body)),
		answerCallbackQuery({callback_query_id: press, text}) {
			acknowledged.push({press: String(press), text: typeof text === 'string' ? text : ''});
			return true;
		},
	};

	const handle = async (incoming: IncomingMessage, response: ServerResponse) => {
		const [, given = '', method = ''] = /^\/bot([^/]+)\/(\w+)$/u.exec(incoming.url ?? '') ?? [];
		const body = await readJson(incoming);
		requests.push(method);
		if (isSilent) {
			return;
		}

		const trouble = troubles.get(method)?.shift();
		if (typeof trouble === 'object' && 'code' in trouble) {
			throw new Refused(trouble.code, trouble.description, trouble.parameters);
		}

		if (trouble !== undefined && trouble !== 'hang-up-after-taking') {
			answerTrouble(trouble, incoming, response);
			return;
		}

		if (given !== token) {
			throw new Refused(401, 'Unauthorized');
		}

		if (method === 'getUpdates') {
			poll(body, response);
			return;
		}

		const act = methods[method];
		if (!act) {
			throw new Refused(404, 'Not Found');
		}

		const result = act(body);
		if (trouble === 'hang-up-after-taking') {
			incoming.socket.destroy();
		} else {
			succeed(response, result);
		}
	};

	const server = createServer((incoming, response) => {
		handle(incoming, response).catch((error: unknown) => fail(response, error));
	});

	return {
		baseUrl: await listen(server),
		token: telegramToken,
		chat,
		/** Messages of the bot that are still there. */
		messages: (): readonly TelegramMessage[] => chats.messages,
		/** Presses the button with this label, and returns the id of the press. */
		press(message: number, label: string, personId = 456): string {
			const shown = chats.find(message);
			const button = shown.buttons.flat().find(({text}) => text === label);
			if (!button) {
				throw new Error(`Message ${message} has no button "${label}"`);
			}

			const id = `press-${nextPress++}`;
			const on = {...messageObject(shown), reply_markup: {inline_keyboard: shown.buttons}};
			push({callback_query: {id, from: person(personId), message: on, chat_instance: '1', data: button.callback_data}});
			return id;
		},
		/** Replies to a message of the bot. */
		reply(message: number, text: string, personId = 456) {
			const replied = messageObject(chats.find(message));
			const {chat: place} = replied;
			push({
				message: {
					message_id: chats.takeId(),
					from: person(personId),
					chat: place,
					date: date(),
					text,
					reply_to_message: replied,
				},
			});
		},
		/** Writes to the bot in a private chat, which exists from then on. */
		write(text: string, personId = 456) {
			chats.setChat(String(personId), 'private');
			const place = chatObject(String(personId));
			push({message: {message_id: chats.takeId(), from: person(personId), chat: place, date: date(), text}});
		},
		push,
		/** The acknowledged presses, with what the person was told. */
		acknowledged: (): ReadonlyArray<{readonly press: string; readonly text: string}> => acknowledged,
		/** The parameters of each poll. */
		polls: (): ReadonlyArray<Readonly<Record<string, unknown>>> => polls,
		/** The methods that were called. */
		requests: (): readonly string[] => requests,
		/** True while a poll waits for updates. */
		isPolled: () => openPoll !== undefined,
		/** Updates that are not confirmed. */
		unconfirmed: () => updates.length,
		plan: (method: string, ...next: readonly TelegramTrouble[]) =>
			void troubles.set(method, [...(troubles.get(method) ?? []), ...next]),
		setChat: chats.setChat,
		removeChat: chats.removeChat,
		removeMessage: (id: number) => chats.remove(id),
		setWebhook(url: string) {
			webhook = url;
		},
		revokeToken() {
			token = 'revoked';
		},
		/** Takes requests and does not answer them. */
		setSilent(silent: boolean) {
			isSilent = silent;
		},
	};
}

export type TelegramServer = Awaited<ReturnType<typeof openTelegramServer>>;

function succeed(response: ServerResponse, result: unknown): void {
	sendJson(response, 200, {ok: true, result});
}

function fail(response: ServerResponse, error: unknown): void {
	const {code, message, parameters} = error instanceof Refused ? error : new Refused(500, String(error));
	const body = {ok: false, error_code: code, description: message, ...(parameters && {parameters})};
	sendJson(response, code, body);
}
