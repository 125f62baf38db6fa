import {addressBelow} from '../../net/address-below.ts';
import {extraText} from '../chat.ts';
import {plainText} from '../dialects.ts';
import {parseDeliveryResponse, textAt} from '../parse-response.ts';
import {type DeliveryTarget} from '../target.ts';

const address = /^(?:\+\d{5,15}|[A-Za-z0-9._+-]{1,64}@[A-Za-z0-9.-]{3,100})$/u;

/** BlueBubbles' REST server, `message/text` (documenter.getpostman.com/view/765844/UV5RnfwM). The password is part of the URL. */
export const bluebubbles = {
	name: 'bluebubbles',
	limit: {unit: 'utf16', maximum: 10_000},
	// The server forgets a `tempGuid` once its message was sent.
	repeat: () => 'unsafe',
	chat: () => ({
		kind: 'named',
		grammar:
			/^(?:(?:iMessage|SMS|RCS|any);[+-];[A-Za-z0-9._+@-]{1,128}|\+\d{5,15}|[A-Za-z0-9._+-]{1,64}@[A-Za-z0-9.-]{3,100})$/u,
		words: 'the GUID of a chat (iMessage;-;+4915112345678), a phone number or an e-mail address',
	}),
	refuse: extra =>
		/^[\w/:.-]{0,128}$/u.test(replyTo(extra)) ? undefined : 'selectedMessageGuid is not the GUID of a message',
	async send({text, chat, extra, repeatKey}, {settings, call}) {
		const message = replyTo(extra);
		const answer = await call({
			url: addressBelow(settings.baseUrl, ['api', 'v1', 'message', 'text'], {password: settings.password}),
			json: {
				chatGuid: address.test(chat) ? `iMessage;-;${chat}` : chat,
				tempGuid: `temp-${repeatKey}`,
				message: plainText(text),
				// Replies need the server's private API; a plain message does not.
				...(message === ''
					? {method: 'apple-script'}
					: {method: 'private-api', selectedMessageGuid: message, partIndex: Number(extraText(extra, 'partIndex'))}),
			},
		});
		return parseDeliveryResponse(answer, json => ({
			isTaken: textAt(json, 'status') === '200',
			words: [textAt(json, 'message'), textAt(json, 'error', 'message')].filter(Boolean).join(': '),
		}));
	},
} satisfies DeliveryTarget & {readonly name: 'bluebubbles'};

function replyTo(extra: Parameters<typeof extraText>[0]): string {
	return extraText(extra, 'selectedMessageGuid', 'thread_id');
}
