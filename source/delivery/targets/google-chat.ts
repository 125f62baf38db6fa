import {extraText} from '../chat.ts';
import {quietMentions, whatsappText} from '../dialects.ts';
import {parseDeliveryResponse, textAt} from '../parse-response.ts';
import {type DeliveryTarget} from '../target.ts';

const mention = /<(?=users\/)/gu;

/** A webhook of a Google Chat space (developers.google.com/workspace/chat/quickstart/webhooks). Its marks are those of WhatsApp. */
export const googleChat = {
	name: 'google_chat',
	// A message has at most 32,000 bytes, with what the marks add.
	limit: {unit: 'bytes', maximum: 8000},
	repeat: () => 'unsafe',
	chat: () => ({kind: 'bound'}),
	refuse: extra => (/^[\w.-]{0,128}$/u.test(threadOf(extra)) ? undefined : 'thread_key is not the key of a thread'),
	async send({text, extra}, {settings, call}) {
		const thread = threadOf(extra);
		const url = new URL(settings.webhookUrl);
		if (thread !== '') {
			url.searchParams.set('messageReplyOption', 'REPLY_MESSAGE_FALLBACK_TO_NEW_THREAD');
		}

		const answer = await call({
			url,
			json: {
				text: quietMentions(whatsappText(text), mention),
				...(thread === '' ? {} : {thread: {threadKey: thread}}),
			},
		});
		return parseDeliveryResponse(answer, json => ({
			isTaken: textAt(json, 'name').startsWith('spaces/'),
			words: [textAt(json, 'error', 'status'), textAt(json, 'error', 'message')].filter(Boolean).join(': '),
		}));
	},
} satisfies DeliveryTarget & {readonly name: 'google_chat'};

function threadOf(extra: Parameters<typeof extraText>[0]): string {
	return extraText(extra, 'thread_key', 'thread_id');
}
