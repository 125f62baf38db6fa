import {addressBelow} from '../../net/address-below.ts';
import {extraText} from '../chat.ts';
import {slackMrkdwn} from '../dialects.ts';
import {parseDeliveryResponse, textAt} from '../parse-response.ts';
import {type DeliveryTarget} from '../target.ts';

/** Slack's `chat.postMessage` (docs.slack.dev/reference/methods/chat.postMessage). Errors come inside a 200. */
export const slack = {
	name: 'slack',
	// Slack's recommended length; escaping lengthens a text, but it is cut only at 40,000.
	limit: {unit: 'utf16', maximum: 4000},
	repeat: () => 'unsafe',
	chat: () => ({
		kind: 'named',
		grammar: /^(?:[CDGUW][A-Z0-9]{5,20}|#[\p{Ll}\p{N}_-]{1,80})$/u,
		words: 'the id of a channel (C0123456789), or #name',
	}),
	refuse: extra =>
		/^(?:\d{1,12}\.\d{1,8})?$/u.test(threadOf(extra)) ? undefined : 'thread_ts is not the ts of a message',
	async send({text, chat, extra}, {settings, call}) {
		const thread = threadOf(extra);
		const answer = await call({
			url: addressBelow(settings.baseUrl, ['chat.postMessage']),
			headers: {Authorization: `Bearer ${settings.token}`, 'Content-Type': 'application/json; charset=utf-8'},
			json: {
				channel: chat,
				text: slackMrkdwn(text),
				mrkdwn: true,
				parse: 'none',
				link_names: false,
				unfurl_links: false,
				unfurl_media: false,
				...(thread === '' ? {} : {thread_ts: thread}),
			},
		});
		return parseDeliveryResponse(answer, json => {
			const error = textAt(json, 'error');
			const isTooFast = error === 'ratelimited' || error === 'rate_limited';
			return {isTaken: json['ok'] === true, words: error, ...(isTooFast ? {waitSeconds: 0} : {})};
		});
	},
} satisfies DeliveryTarget & {readonly name: 'slack'};

function threadOf(extra: Parameters<typeof extraText>[0]): string {
	return extraText(extra, 'thread_ts', 'thread_id');
}
