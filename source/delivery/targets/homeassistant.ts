import {addressBelow} from '../../net/address-below.ts';
import {defaultTitle, extraText} from '../chat.ts';
import {plainText} from '../dialects.ts';
import {parseDeliveryResponse, textAt} from '../parse-response.ts';
import {type DeliveryTarget, type Part} from '../target.ts';

const service = /^[a-z0-9_]{1,64}$/u;

/**
Home Assistant's notify services (developers.home-assistant.io/docs/api/rest). A chat is a notify service (`mobile_app_phone`, or `notify.mobile_app_phone`);
without one the configured `service` is called. A notification id replaces the notification of the same id.
*/
export const homeassistant = {
	name: 'homeassistant',
	limit: {unit: 'code-points', maximum: 4000},
	repeat: ({settings, chat}) => (isPersistent(serviceOf(chat || settings.service)) ? 'safe' : 'unsafe'),
	chat: () => ({
		kind: 'optional',
		grammar: /^(?:notify\.|persistent_notification\.)?[a-z0-9_]{1,64}$/u,
		words: 'a notify service (notify.mobile_app_phone)',
	}),
	async send({text, chat, extra, route, repeatKey}, {settings, call}) {
		const called = serviceOf(chat || settings.service);
		const [domain, name] = called;
		if (!service.test(domain) || !service.test(name)) {
			return {kind: 'refused', detail: 'service must be the name of a service, such as notify.notify'};
		}

		const asked = extraText(extra, 'notification_id');
		const tag: Part['extra'] = asked === '' ? {} : {data: {tag: asked}};
		const answer = await call({
			url: addressBelow(settings.baseUrl, ['api', 'services', domain, name]),
			headers: {Authorization: `Bearer ${settings.token}`},
			json: {
				title: extraText(extra, 'title') || defaultTitle(route),
				message: plainText(text),
				...(isPersistent(called) ? {notification_id: asked || repeatKey} : tag),
			},
		});
		// The response is the list of changed states.
		return parseDeliveryResponse(answer, (json, reply) => ({
			isTaken: Array.isArray(reply.json),
			words: textAt(json, 'message'),
		}));
	},
} satisfies DeliveryTarget & {readonly name: 'homeassistant'};

function serviceOf(text: string): readonly [string, string] {
	const [first = '', ...rest] = text.split('.');
	return rest.length === 0 ? ['notify', first] : [first, rest.join('.')];
}

function isPersistent([domain]: readonly [string, string]): boolean {
	return domain === 'persistent_notification';
}
