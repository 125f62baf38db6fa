import {isJsonObject, type JsonObject, ownMember} from '../../util/json-text.ts';
import {addressBelow} from '../../net/address-below.ts';
import {extraText} from '../chat.ts';
import {plainHtml} from '../dialects.ts';
import {parseDeliveryResponse, textAt} from '../parse-response.ts';
import {type DeliveryTarget} from '../target.ts';

/**
Matrix, `PUT /rooms/{roomId}/send` (spec.matrix.org, client-server API). The transaction id makes a repeated request the same message. An event has
65,536 bytes; text and HTML, escaped, must fit into it together.
*/
export const matrix = {
	name: 'matrix',
	limit: {unit: 'bytes', maximum: 8000},
	repeat: () => 'safe',
	chat: () => ({
		kind: 'named',
		grammar: /^![A-Za-z0-9._=/+~-]{1,200}(?::[A-Za-z0-9.:[\]-]{1,200})?$/u,
		words: 'the id of a room (!abc:example.org)',
	}),
	refuse: extra =>
		/^(?:\$[\w+/.:=-]{1,254})?$/u.test(threadOf(extra)) ? undefined : 'thread_id is not the id of an event',
	async send({text, chat, extra, repeatKey}, {settings, call}) {
		const thread = threadOf(extra);
		const relation = {
			'm.relates_to': {
				rel_type: 'm.thread',
				event_id: thread,
				is_falling_back: true,
				'm.in_reply_to': {event_id: thread},
			},
		};
		const room = ['_matrix', 'client', 'v3', 'rooms', chat];
		const answer = await call({
			method: 'PUT',
			url: addressBelow(settings.baseUrl, [...room, 'send', 'm.room.message', `sluice-${repeatKey}`]),
			headers: {Authorization: `Bearer ${settings.token}`},
			json: {
				msgtype: 'm.text',
				body: text,
				format: 'org.matrix.custom.html',
				formatted_body: plainHtml(text),
				// Mentions nobody, whatever the text says.
				'm.mentions': {},
				...(thread === '' ? {} : relation),
			},
		});
		return parseDeliveryResponse(answer, json => {
			const error = textAt(json, 'errcode');
			const wait = Number(textAt(json, 'retry_after_ms')) / 1000;
			return {
				isTaken: textAt(json, 'event_id') !== '',
				words: [error, textAt(json, 'error')].filter(Boolean).join(': '),
				...(error === 'M_LIMIT_EXCEEDED' ? {waitSeconds: wait} : {}),
			};
		});
	},
} satisfies DeliveryTarget & {readonly name: 'matrix'};

function threadOf(extra: JsonObject): string {
	const relation = ownMember(extra, 'm.relates_to');
	return (
		extraText(extra, 'thread_id', 'm.relates_to') || (isJsonObject(relation) ? extraText(relation, 'event_id') : '')
	);
}
