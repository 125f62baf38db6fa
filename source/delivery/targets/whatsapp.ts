import {isJsonObject, type JsonObject, ownMember} from '../../util/json-text.ts';
import {addressBelow} from '../../net/address-below.ts';
import {extraText} from '../chat.ts';
import {whatsappText} from '../dialects.ts';
import {parseDeliveryResponse, textAt} from '../parse-response.ts';
import {type DeliveryTarget} from '../target.ts';

/** The codes for "too fast" per account, per pair and per number of messages, whatever the status. */
const tooFastCodes: readonly string[] = ['4', '80007', '130429', '131048', '131056'];

const longestText = 4096;

/** WhatsApp's Cloud API (developers.facebook.com/docs/whatsapp/cloud-api). Outside the 24 hours after a person's last message it refuses (131047). */
export const whatsapp = {
	name: 'whatsapp',
	limit: {unit: 'utf16', maximum: longestText},
	repeat: () => 'unsafe',
	chat: () => ({kind: 'named', grammar: /^\+?[1-9]\d{6,14}$/u, words: 'a phone number with its country code'}),
	refuse: extra => (/^[\w.=+/-]{0,300}$/u.test(replyTo(extra)) ? undefined : 'message_id is not the id of a message'),
	async send({text, chat, extra}, {settings, call}) {
		const message = replyTo(extra);
		const answer = await call({
			url: addressBelow(settings.baseUrl, [settings.phoneNumberId, 'messages']),
			headers: {Authorization: `Bearer ${settings.token}`},
			json: {
				messaging_product: 'whatsapp',
				recipient_type: 'individual',
				to: chat.replace('+', ''),
				type: 'text',
				text: {preview_url: false, body: whatsappText(text, longestText)},
				...(message === '' ? {} : {context: {message_id: message}}),
			},
		});
		return parseDeliveryResponse(answer, json => {
			const code = textAt(json, 'error', 'code');
			const words = [textAt(json, 'error', 'message'), textAt(json, 'error', 'error_data', 'details')];
			return {
				isTaken: isAccepted(json),
				words: words.filter(Boolean).join(': '),
				...(tooFastCodes.includes(code) ? {waitSeconds: 0} : {}),
			};
		});
	},
} satisfies DeliveryTarget & {readonly name: 'whatsapp'};

function isAccepted(json: JsonObject): boolean {
	const messages = ownMember(json, 'messages');
	const [first] = Array.isArray(messages) ? messages : [];
	return isJsonObject(first) && textAt(first, 'id') !== '';
}

function replyTo(extra: JsonObject): string {
	return extraText(extra, 'message_id', 'thread_id');
}
