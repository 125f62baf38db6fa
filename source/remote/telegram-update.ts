import {z} from 'zod';
import {isJsonObject, type JsonObject} from '../util/json-text.ts';
import {type ChannelInput} from './channel.ts';

/** The meaning of an update (core.telegram.org/bots/api#update). */
export type UpdateMeaning =
	| {readonly kind: 'input'; readonly input: Omit<ChannelInput, 'isOld'>}
	/** It looks like an input and is none; the reason is in words of Sluice. */
	| {readonly kind: 'ignored'; readonly reason: string}
	/** Talk in a chat that is not for Sluice. */
	| {readonly kind: 'other'}
	/** A group became a supergroup, which has another id. */
	| {readonly kind: 'migrated'; readonly from: string; readonly to: string};

const positive = z.int().positive();
const chat = z.object({id: z.int(), type: z.enum(['private', 'group', 'supergroup'])});

/** A person; bots and the accounts that stand for anonymous administrators and channels have `is_bot`. */
const person = z.object({
	id: positive,
	is_bot: z.literal(false),
	first_name: z.string(),
	last_name: z.string().optional(),
});
type Person = z.infer<typeof person>;

const maxDataBytes = 64;

const press = z.object({
	id: z.string().min(1).max(100),
	from: person,
	// An inaccessible message has the date 0 (#inaccessiblemessage).
	message: z.object({message_id: positive, date: positive, chat}),
	data: z.string().refine(data => data !== '' && Buffer.byteLength(data) <= maxDataBytes),
});

/** Members of presses that do not come from a message of this bot. */
const otherPresses = ['inline_message_id', 'game_short_name'];

const message = z.object({
	message_id: positive,
	date: positive,
	from: person,
	chat,
	// Four times what an app lets a person write.
	text: z.string().min(1).max(16_384),
});

const answered = z.object({message_id: positive, chat: z.object({id: z.int()})});

/** Members of messages that a person did not write here, now, by themselves, or not to this bot (core.telegram.org/bots/api#message). */
const otherMessages = [
	'author_signature',
	'business_connection_id',
	'direct_messages_topic',
	'edit_date',
	'external_reply',
	'forward_date',
	'forward_from',
	'forward_from_chat',
	'forward_origin',
	'forward_sender_name',
	'guest_bot_caller_chat',
	'guest_bot_caller_user',
	'guest_query_id',
	'is_automatic_forward',
	'is_from_offline',
	'reply_to_checklist_task_id',
	'reply_to_poll_option_id',
	'reply_to_story',
	'sender_business_bot',
	'sender_chat',
	'via_bot',
];

/** True for an id of Telegram: a whole number with at most 52 bits. */
export function isTelegramId(value: unknown): value is number {
	return Number.isSafeInteger(value);
}

/** Reads one update of `getUpdates`. Everything in it may be hostile. */
export function readUpdate(update: unknown): UpdateMeaning {
	if (!isJsonObject(update)) {
		return ignored('an update of Telegram is not as documented');
	}

	const {callback_query: pressed, message: written} = update;
	if (pressed !== undefined && written === undefined) {
		return readPress(pressed);
	}

	return isJsonObject(written) && pressed === undefined
		? readMessage(written)
		: ignored('an update of Telegram is neither a press nor a message');
}

function readPress(pressed: unknown): UpdateMeaning {
	const read = press.safeParse(pressed);
	const inline = isJsonObject(pressed) ? presentMember(pressed, otherPresses) : undefined;
	if (!read.success || inline !== undefined) {
		const path = inline ?? String(read.error?.issues[0]?.path.join('.'));
		return ignored(`a press in Telegram counts for nothing because of its member \`callback_query.${path}\``);
	}

	const {id, from, message: on, data} = read.data;
	return on.chat.type === 'private' && on.chat.id !== from.id
		? ignored('a press in Telegram comes from somebody else than the person of its private chat')
		: {
				kind: 'input',
				input: {
					address: {chat: String(on.chat.id), message: String(on.message_id)},
					person: toPerson(from),
					act: {kind: 'press', value: data, press: id},
				},
			};
}

function readMessage(written: JsonObject): UpdateMeaning {
	const {migrate_to_chat_id: to, reply_to_message: replied, chat: place} = written;
	const from = isJsonObject(place) ? place['id'] : undefined;
	if (isTelegramId(to) && isTelegramId(from)) {
		return {kind: 'migrated', from: String(from), to: String(to)};
	}

	const isPrivate = isJsonObject(place) && place['type'] === 'private';
	if (!isTextForBot(written, isPrivate)) {
		return {kind: 'other'};
	}

	const read = message.safeParse(written);
	const other = presentMember(written, otherMessages);
	const reply = replied === undefined ? undefined : answered.safeParse(replied);
	if (!read.success || other !== undefined || reply?.success === false) {
		const path = other ?? (read.success ? 'reply_to_message' : String(read.error.issues[0]?.path.join('.')));
		return ignored(`a message in Telegram counts for nothing because of its member \`message.${path}\``);
	}

	const {message_id: id, chat: inChat, from: writer, text} = read.data;
	if ((isPrivate && inChat.id !== writer.id) || (reply && reply.data.chat.id !== inChat.id)) {
		return ignored('a message in Telegram is about another chat than its own');
	}

	const address = {chat: String(inChat.id), message: String(reply?.data.message_id ?? id)};
	const kind = reply ? 'reply' : 'private-message';
	return {kind: 'input', input: {address, person: toPerson(writer), act: {kind, text}}};
}

/** True for a reply to a bot, and in a private chat for what replies to nothing; and for neither without a text. */
function isTextForBot({text, reply_to_message: replied}: JsonObject, isPrivate: boolean): boolean {
	if (text === undefined) {
		return false;
	}

	const writer = isJsonObject(replied) ? replied['from'] : undefined;
	return replied === undefined ? isPrivate : isJsonObject(writer) && writer['is_bot'] === true;
}

function toPerson({id, first_name: first, last_name: last = ''}: Person): ChannelInput['person'] {
	return {id: String(id), name: `${first} ${last}`.trim().slice(0, 200)};
}

function presentMember(object: JsonObject, names: readonly string[]): string | undefined {
	return names.find(name => Object.hasOwn(object, name));
}

function ignored(reason: string): UpdateMeaning {
	return {kind: 'ignored', reason};
}
