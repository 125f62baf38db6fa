import {plainText} from '../dialects.ts';
import {parseDeliveryResponse, textAt} from '../parse-response.ts';
import {type DeliveryTarget} from '../target.ts';

/** The webhook of a Teams workflow (learn.microsoft.com/microsoftteams/platform/webhooks-and-connectors). The message is an Adaptive Card. */
export const teams = {
	name: 'teams',
	// A message has at most 28 KB as JSON, in which a character of the text takes up to three bytes more.
	limit: {unit: 'bytes', maximum: 9000},
	repeat: () => 'unsafe',
	chat: () => ({kind: 'bound'}),
	async send({text}, {settings, call}) {
		const answer = await call({url: new URL(settings.webhookUrl), json: {type: 'message', attachments: [card(text)]}});
		return parseDeliveryResponse(answer, (json, {status}) => ({
			isTaken: status === 202 || status === 200,
			words: [textAt(json, 'error', 'code'), textAt(json, 'error', 'message')].filter(Boolean).join(': '),
		}));
	},
} satisfies DeliveryTarget & {readonly name: 'teams'};

function card(text: string) {
	// A text block joins lines unless an empty one is between them.
	const body = [{type: 'TextBlock', text: plainText(text).replaceAll(/\n+/gu, '\n\n'), wrap: true}];
	return {
		contentType: 'application/vnd.microsoft.card.adaptive',
		content: {
			$schema: 'http://adaptivecards.io/schemas/adaptive-card.json',
			type: 'AdaptiveCard',
			version: '1.4',
			body,
		},
	};
}
