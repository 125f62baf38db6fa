import {defaultTitle, extraText} from '../chat.ts';
import {plainText} from '../dialects.ts';
import {parseDeliveryResponse, textAt} from '../parse-response.ts';
import {type DeliveryTarget} from '../target.ts';

/** ntfy's publishing as JSON (docs.ntfy.sh/publish/#publish-as-json). A chat is a topic. */
export const ntfy = {
	name: 'ntfy',
	// A longer message becomes an attachment.
	limit: {unit: 'bytes', maximum: 4096},
	repeat: () => 'unsafe',
	chat: () => ({kind: 'named', grammar: /^[\w-]{1,64}$/u, words: 'a topic (letters, digits, _ and -)'}),
	refuse: extra =>
		/^[1-5]?$/u.test(extraText(extra, 'priority')) ? undefined : 'priority is not a number from 1 to 5',
	async send({text, chat, extra, route}, {settings, call}) {
		const priority = extraText(extra, 'priority');
		const answer = await call({
			url: new URL(settings.baseUrl),
			headers: settings.token === '' ? {} : {Authorization: `Bearer ${settings.token}`},
			json: {
				topic: chat,
				title: extraText(extra, 'title') || defaultTitle(route),
				message: plainText(text),
				...(priority === '' ? {} : {priority: Number(priority)}),
			},
		});
		return parseDeliveryResponse(answer, json => ({
			isTaken: textAt(json, 'id') !== '' && textAt(json, 'event') === 'message',
			words: [textAt(json, 'error'), textAt(json, 'code') && `code ${textAt(json, 'code')}`].filter(Boolean).join(', '),
		}));
	},
} satisfies DeliveryTarget & {readonly name: 'ntfy'};
