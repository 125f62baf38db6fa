import {type JsonObject} from '../util/json-text.ts';
import {type ChannelMessage} from './channel.ts';

/** Bounds of one message (core.telegram.org/bots/api#sendmessage, #inlinekeyboardbutton). Telegram ignores further entities. */
const maxTextUnits = 4096;
const maxEntities = 100;
const maxValueBytes = 64;

/** The members of `sendMessage` and `editMessageText` that carry a message. */
type TelegramMessage = {
	readonly text: string;
	readonly entities: readonly JsonObject[];
	readonly link_preview_options: JsonObject;
	readonly reply_markup: JsonObject;
};

/**
A message for the Bot API: foreign parts are `pre` entities, whose offsets count UTF-16 units (core.telegram.org/bots/api#messageentity), and there
is no `parse_mode`, so nothing in a text is markup. An empty keyboard removes the buttons of an edited message.
*/
export function toTelegram({parts, buttons}: ChannelMessage): TelegramMessage {
	const entities: JsonObject[] = [];
	let text = '';
	for (const part of parts) {
		text += text === '' ? '' : '\n';
		if (part.kind === 'foreign' && part.text !== '') {
			entities.push({type: 'pre', offset: text.length, length: part.text.length});
		}

		text += part.text;
	}

	const keyboard = buttons.map(row =>
		row.map(({label, value, tone}) => ({
			text: label,
			callback_data: value,
			...(tone === 'danger' ? {style: 'danger'} : {}),
		})),
	);
	return {text, entities, link_preview_options: {is_disabled: true}, reply_markup: {inline_keyboard: keyboard}};
}

/** True if Telegram takes the message and shows all of it. It removes blanks at both ends of a text. */
export function fitsTelegram(message: ChannelMessage): boolean {
	const {text, entities} = toTelegram(message);
	return (
		text !== '' &&
		text === text.trim() &&
		text.length <= maxTextUnits &&
		entities.length <= maxEntities &&
		message.buttons.flat().every(({label, value}) => {
			const bytes = Buffer.byteLength(value);
			return label !== '' && bytes > 0 && bytes <= maxValueBytes;
		})
	);
}
