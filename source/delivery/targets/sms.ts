import {addressBelow} from '../../net/address-below.ts';
import {plainText} from '../dialects.ts';
import {parseDeliveryResponse, textAt} from '../parse-response.ts';
import {type DeliveryTarget} from '../target.ts';

const tooManyRequests = '20429';

/** Twilio's Messages resource (twilio.com/docs/messaging/api/message-resource). Parts may overtake one another, so they are numbered. */
export const sms = {
	name: 'sms',
	limit: {unit: 'utf16', maximum: 1600},
	repeat: () => 'unsafe',
	parts: 'numbered',
	chat: () => ({
		kind: 'named',
		grammar: /^\+[1-9]\d{6,14}$/u,
		words: 'a phone number in international form (+4915112345678)',
	}),
	async send({text, chat}, {settings, call}) {
		const {accountSid, authToken, from, baseUrl} = settings;
		const sender: Readonly<Record<string, string>> = /^MG[0-9a-fA-F]{32}$/u.test(from)
			? {MessagingServiceSid: from}
			: {From: from};
		const answer = await call({
			url: addressBelow(baseUrl, ['2010-04-01', 'Accounts', accountSid, 'Messages.json']),
			headers: {Authorization: `Basic ${Buffer.from(`${accountSid}:${authToken}`).toString('base64')}`},
			form: {To: chat, ...sender, Body: plainText(text)},
		});
		return parseDeliveryResponse(answer, json => {
			const code = textAt(json, 'code') || textAt(json, 'error_code');
			const words = textAt(json, 'message') || textAt(json, 'error_message');
			const isRefused = ['failed', 'undelivered', 'canceled'].includes(textAt(json, 'status'));
			return {
				isTaken: textAt(json, 'sid') !== '' && !isRefused,
				words: code === '' ? words : `${words} (code ${code})`,
				...(code === tooManyRequests ? {waitSeconds: 0} : {}),
			};
		});
	},
} satisfies DeliveryTarget & {readonly name: 'sms'};
