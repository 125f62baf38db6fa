import {addressBelow} from '../../net/address-below.ts';
import {extraText} from '../chat.ts';
import {telegramHtml} from '../dialects.ts';
import {parseDeliveryResponse, textAt} from '../parse-response.ts';
import {type DeliveryTarget} from '../target.ts';

/** Messages to the General topic of a forum are sent without a topic. */
const generalTopic = '1';

const longestText = 4096;

/** Telegram's Bot API, `sendMessage` (core.telegram.org/bots/api#sendmessage). The limit applies to the text after parsing the HTML. */
export const telegram = {
	name: 'telegram',
	limit: {unit: 'utf16', maximum: longestText},
	repeat: () => 'unsafe',
	chat: () => ({
		kind: 'named',
		grammar: /^(?:-?\d{1,20}|@[A-Za-z]\w{3,31})$/u,
		words: 'a number, or @name of a channel',
	}),
	refuse: extra => (/^\d{0,10}$/u.test(topicOf(extra)) ? undefined : 'message_thread_id is not a number'),
	async send({text, chat, extra}, {settings, call}) {
		const topic = topicOf(extra);
		const answer = await call({
			url: addressBelow(settings.baseUrl, [`bot${settings.token}`, 'sendMessage']),
			json: {
				chat_id: chat,
				text: telegramHtml(text, longestText),
				parse_mode: 'HTML',
				link_preview_options: {is_disabled: true},
				...(topic === '' || topic === generalTopic ? {} : {message_thread_id: Number(topic)}),
			},
		});
		return parseDeliveryResponse(answer, json => {
			const wait = textAt(json, 'parameters', 'retry_after');
			const moved = textAt(json, 'parameters', 'migrate_to_chat_id');
			const words = textAt(json, 'description');
			return {
				isTaken: json['ok'] === true,
				words: moved === '' ? words : `${words} (the group is now ${moved})`,
				...(wait === '' ? {} : {waitSeconds: Number(wait)}),
			};
		});
	},
} satisfies DeliveryTarget & {readonly name: 'telegram'};

function topicOf(extra: Parameters<typeof extraText>[0]): string {
	return extraText(extra, 'message_thread_id', 'thread_id');
}
