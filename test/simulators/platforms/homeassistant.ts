/*
Made from https://developers.home-assistant.io/docs/api/rest/ (Bearer, `POST /api/services/<domain>/<service>`, the list
of changed states), https://www.home-assistant.io/integrations/notify/ (notify.notify, notify.send_message) and
/integrations/persistent_notification/ (`notification_id` replaces), and
https://companion.home-assistant.io/docs/notifications/notifications-basic#replacing (`data.tag` replaces).
Service schemas refuse extra keys. Home Assistant limits no rates: its 429 is the one of a proxy before it.
*/
import {z} from 'zod';
import {type OpenPlatform, type ReceivedMessage} from './platform-simulator.ts';
import {type Note, type PlatformAnswer, type PlatformRequest, servePlatform} from './platform-server.ts';
import {checked, insist, noteOtherQuery, parsedJson, requireMethod} from './request-checks.ts';

const token = 'eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.c2x1aWNl.c2lnbmF0dXJl';
const services = ['notify.mobile_app_phone', 'notify.mobile_app_tablet'];

const notify = z.strictObject({
	message: z.string(),
	title: z.string().optional(),
	target: z.union([z.string(), z.array(z.string())]).optional(),
	data: z.looseObject({tag: z.string().optional()}).optional(),
});
const sendMessage = z.strictObject({
	message: z.string(),
	title: z.string().optional(),
	entity_id: z.union([z.string(), z.array(z.string())]),
});
const create = z.strictObject({
	message: z.string(),
	title: z.string().optional(),
	notification_id: z.string().optional(),
});

const failed = (status: number, words: string): PlatformAnswer => ({status, body: `${status}: ${words}`});
const badRequest = failed(400, 'Bad Request');

/** Opens a pretended Home Assistant with `notify.notify`, two phones' services and persistent notifications. */
export const openHomeassistant: OpenPlatform = async () => {
	const served = await servePlatform({
		guard: request => {
			const isRight = request.headers.authorization === `Bearer ${token}`;
			insist(isRight, 'the token is wrong', failed(401, 'Unauthorized'));
		},
		aside: request => {
			if (request.method !== 'GET') {
				return undefined;
			}

			return request.path === '/api/'
				? {status: 200, body: {message: 'API running.'}}
				: request.path === '/api/services'
					? {
							status: 200,
							body: [{domain: 'notify', services: {notify: {}, mobile_app_phone: {}, mobile_app_tablet: {}}}],
						}
					: undefined;
		},
		read,
		repeat: 'replaces-the-message',
		accept: () => ({status: 200, body: []}),
		trouble: trouble => {
			switch (trouble.kind) {
				case 'rate-limited':
					return {...failed(429, 'Too Many Requests'), headers: {'retry-after': String(trouble.waitSeconds)}};
				case 'rejected':
					return badRequest;
				case 'server-error':
					return {status: 500, body: '500 Internal Server Error\n\nServer got itself in trouble'};
				case 'hidden-error':
					return {status: 400, body: {message: 'This is what a 400 looks like'}};
			}
		},
	});
	return {
		...served,
		settings: {token, base_url: served.baseUrl},
		chatId: services[0]!,
		otherChatId: services[1]!,
	};
};

function read(request: PlatformRequest, note: Note): ReceivedMessage {
	const found = /^\/api\/services\/([a-z0-9_]+)\/([a-z0-9_]+)$/.exec(request.path);
	insist(found !== null, `${request.path}: no such path`, failed(404, 'Not Found'));
	requireMethod(request, 'POST', failed(405, 'Method Not Allowed'));
	noteOtherQuery(request, [], note);
	const refuse = () => badRequest;
	const data = parsedJson(request.body, () => ({status: 400, body: {message: 'Data should be valid JSON.'}}));
	const service = `${found[1]}.${found[2]}`;
	if (service === 'persistent_notification.create') {
		const {message, notification_id: id} = checked(data, create, {refuse});
		return {chat: service, text: message, ...(id !== undefined && {repeatKey: id})};
	}

	if (service === 'notify.send_message') {
		const {message, entity_id: entities} = checked(data, sendMessage, {refuse});
		return {chat: existing([entities].flat()), text: message};
	}

	insist(service === 'notify.notify' || services.includes(service), `no service ${service}`, badRequest);
	const sent = checked(data, notify, {refuse});
	const chat = sent.target === undefined ? service : existing([sent.target].flat());
	return {chat, text: sent.message, ...(sent.data?.tag !== undefined && {repeatKey: sent.data.tag})};
}

function existing(targets: readonly string[]): string {
	const [target = ''] = targets;
	insist(targets.length === 1 && services.includes(target), `no target ${targets.join(', ')}`, badRequest);
	return target;
}
