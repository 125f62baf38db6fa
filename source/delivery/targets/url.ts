import {type Settings} from '../../config/platforms/platform-settings.ts';
import {parseDeliveryResponse, textAt} from '../parse-response.ts';
import {endpointName, standardHeaders} from '../standard-webhook.ts';
import {type DeliveryTarget} from '../target.ts';

/** An address of the user's own, by the name of its entry in `platforms.url`. The message is a webhook, signed as standardwebhooks.com describes. */
export const url = {
	name: 'url',
	// Its receiver is a program, which gets the whole text at once.
	limit: {unit: 'utf16', maximum: 1_000_000},
	repeat: () => 'unsafe',
	chat: ({endpoints}) => ({
		kind: 'named',
		grammar: new RegExp(`^(?:${namesOf(endpoints).join('|')})$`, 'u'),
		words: `an entry of platforms.url: ${namesOf(endpoints).join(', ')}`,
	}),
	async send({text, chat, route, repeatKey}, {settings, call, now}) {
		const endpoint = settings.endpoints[chat];
		if (!endpoint) {
			return {kind: 'refused', detail: `platforms.url.${chat} is not configured`};
		}

		const answer = await call({
			url: new URL(endpoint.url),
			headers: endpoint.headers,
			json: {type: 'message', timestamp: new Date(now()).toISOString(), data: {text, route}},
			sign: body =>
				standardHeaders(body, {id: `msg_${repeatKey}`, seconds: Math.floor(now() / 1000), secret: endpoint.secret}),
		});
		// Any 2xx takes the message.
		return parseDeliveryResponse(answer, json => ({
			isTaken: true,
			words: textAt(json, 'error') || textAt(json, 'message'),
		}));
	},
} satisfies DeliveryTarget & {readonly name: 'url'};

function namesOf(endpoints: Settings['endpoints']): readonly string[] {
	return Object.keys(endpoints).filter(name => endpointName.test(name));
}
