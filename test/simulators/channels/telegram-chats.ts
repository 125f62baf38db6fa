import {z} from 'zod';

/*
The messages of a pretended Bot API, made from its documentation: https://core.telegram.org/bots/api#sendmessage (1–4096 characters after entities
parsing), #messageentity (offsets in UTF-16 units), #inlinekeyboardbutton (`callback_data` of 1–64 bytes, `style`), #editmessagetext.
*/

/** A message of the bot, as a person sees it. */
export type TelegramMessage = {
	readonly id: number;
	readonly chat: string;
	readonly text: string;
	/** The parts of the text that are shown without formatting. */
	readonly code: readonly string[];
	readonly buttons: ReadonlyArray<
		ReadonlyArray<{readonly text: string; readonly callback_data: string; readonly style?: string}>
	>;
	/** How often it was edited. */
	readonly edits: number;
	readonly isProtected: boolean;
};

/** A refusal, as the Bot API describes it. */
export class Refused extends Error {
	readonly code: number;
	readonly parameters: object | undefined;

	constructor(code: number, description: string, parameters?: object) {
		super(description);
		this.code = code;
		this.parameters = parameters;
	}
}

export const badRequest = (text: string) => new Refused(400, `Bad Request: ${text}`);

const button = z.strictObject({
	text: z.string().min(1),
	callback_data: z.string().refine(data => data !== '' && Buffer.byteLength(data) <= 64),
	style: z.enum(['danger', 'success', 'primary']).optional(),
});
const content = {
	text: z.string(),
	entities: z
		.array(z.strictObject({type: z.literal('pre'), offset: z.int().nonnegative(), length: z.int().positive()}))
		.max(100)
		.optional(),
	link_preview_options: z.strictObject({is_disabled: z.literal(true)}).optional(),
	reply_markup: z.strictObject({inline_keyboard: z.array(z.array(button).min(1).max(8))}).optional(),
};
const chatId = z.union([z.int(), z.string()]).transform(String);
const sending = z.strictObject({chat_id: chatId, ...content, protect_content: z.boolean().optional()});
const editing = z.strictObject({chat_id: chatId, message_id: z.int(), ...content});

/** The chats that the bot is in, with its messages. */
export function createTelegramChats() {
	const chats = new Map<string, 'private' | 'group' | 'supergroup' | 'blocked' | {readonly movedTo: string}>();
	const messages: TelegramMessage[] = [];
	let nextId = 1;

	const checkChat = (chat: string) => {
		const state = chats.get(chat);
		if (state === undefined) {
			throw badRequest('chat not found');
		}

		if (state === 'blocked') {
			throw new Refused(403, 'Forbidden: bot was blocked by the user');
		}

		if (typeof state === 'object') {
			throw new Refused(400, 'Bad Request: group chat was upgraded to a supergroup chat', {
				migrate_to_chat_id: Number(state.movedTo),
			});
		}

		return state;
	};

	const shown = ({text, entities = [], reply_markup: markup}: z.infer<typeof editing> | z.infer<typeof sending>) => {
		if (text.trim() === '') {
			throw badRequest('message text is empty');
		}

		if (text.length > 4096) {
			throw badRequest('message is too long');
		}

		if (entities.some(({offset, length}) => offset + length > text.length)) {
			throw badRequest('entity is beyond the end of the text');
		}

		return {
			text,
			code: entities.map(({offset, length}) => text.slice(offset, offset + length)),
			buttons: markup?.inline_keyboard ?? [],
		};
	};

	const parsed = <Value>(schema: z.ZodType<Value>, body: unknown): Value => {
		const read = schema.safeParse(body);
		if (!read.success) {
			throw badRequest(`wrong member ${read.error.issues[0]?.path.join('.')}`);
		}

		return read.data;
	};

	return {
		messages,
		setChat: (chat: string, state: 'private' | 'group' | 'supergroup' | 'blocked' | {readonly movedTo: string}) =>
			void chats.set(chat, state),
		removeChat: (chat: string) => void chats.delete(chat),
		typeOf: checkChat,
		/** The id of the next message of a person. */
		takeId: () => nextId++,
		send(body: unknown): TelegramMessage {
			const sent = parsed(sending, body);
			checkChat(sent.chat_id);
			const isProtected = sent.protect_content === true;
			const message = {id: nextId++, chat: sent.chat_id, ...shown(sent), edits: 0, isProtected};
			messages.push(message);
			return message;
		},
		edit(body: unknown): TelegramMessage {
			const edited = parsed(editing, body);
			checkChat(edited.chat_id);
			const index = messages.findIndex(({id, chat}) => id === edited.message_id && chat === edited.chat_id);
			const before = messages[index];
			if (!before) {
				throw badRequest('message to edit not found');
			}

			const after = {...before, ...shown(edited)};
			if (JSON.stringify(after) === JSON.stringify(before)) {
				throw badRequest(
					'message is not modified: specified new message content and reply markup are exactly the same as a current content and reply markup of the message',
				);
			}

			const message = {...after, edits: before.edits + 1};
			messages[index] = message;
			return message;
		},
		/** Deletes a message, as a person can. */
		remove(id: number) {
			messages.splice(
				messages.findIndex(message => message.id === id),
				1,
			);
		},
		find(id: number): TelegramMessage {
			const message = messages.find(one => one.id === id);
			if (!message) {
				throw new Error(`There is no message ${id}`);
			}

			return message;
		},
	};
}
