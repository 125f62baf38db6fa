/*
The app's side of Feishu, made from
https://open.feishu.cn/document/server-docs/authentication-management/access-token/tenant_access_token_internal,
/document/server-docs/im-v1/message/create (receive_id_type, content as a JSON string, uuid of 50 characters that takes
a repeat within the hour for the same message, 150 KB of text and 30 KB of card), /im-v1/message/reply (a thread),
/document/server-docs/api-call-guide/generic-error-code and /frequency-control (429, x-ogw-ratelimit-reset).
*/
import {z} from 'zod';
import {card, post, visibleCard, visiblePost} from './feishu-content.ts';
import {type OpenPlatform, type ReceivedMessage} from './platform-simulator.ts';
import {type Note, type PlatformAnswer, type PlatformRequest, servePlatform} from './platform-server.ts';
import {bytes, checked, insist, jsonBody, noteOtherQuery, parsedJson, requireMethod} from './request-checks.ts';

const app = {app_id: 'cli_slkdjalasdkjasd', app_secret: 'dskLLdkasdjlasdKK'};
const token = 't-caecc734c2e3328a62489fe0648c4b98779515d3';
const chats = ['oc_a0553eda9014c201e6969b478895c230', 'oc_b0553eda9014c201e6969b478895c231'];
const root = 'om_dc13264520392913993dd051dba21dcf';

const credentials = z.strictObject({app_id: z.string(), app_secret: z.string()});
const message = {
	msg_type: z.enum(['text', 'post', 'interactive']),
	content: z.string(),
	uuid: z.string().max(50).optional(),
};
const created = z.strictObject({receive_id: z.string(), ...message});
const replied = z.strictObject({reply_in_thread: z.boolean().optional(), ...message});

const failed = (status: number, code: number, msg: string): PlatformAnswer => ({
	status,
	body: {code, msg, error: {log_id: '20240911085251BEA8869709BAD4373B10'}},
});
const invalid = (problem: string) =>
	failed(400, 230_001, `Your request contains an invalid request parameter, ext=${problem}`);
const outside = failed(400, 230_002, 'Bot/User can NOT be out of the chat.');

/** Opens a pretended `open.feishu.cn` with one app that is in two chats, and a thread in the first. */
export const openFeishu: OpenPlatform = async () => {
	const served = await servePlatform({
		aside: (request, note) =>
			request.path === '/open-apis/auth/v3/tenant_access_token/internal' ? giveToken(request, note) : undefined,
		read,
		repeat: 'is-the-same-message',
		keysBelongTo: 'account',
		accept: (taken, position) => ({
			status: 200,
			body: {code: 0, msg: 'success', data: {message_id: `om_${position}`, chat_id: taken.chat}},
		}),
		trouble: trouble => {
			switch (trouble.kind) {
				case 'rate-limited':
					return {
						...failed(429, 99_991_400, 'request trigger frequency limit'),
						headers: {'x-ogw-ratelimit-limit': '100', 'x-ogw-ratelimit-reset': String(trouble.waitSeconds)},
					};
				case 'rejected':
					return outside;
				case 'server-error':
					return failed(500, 55_001, 'server internal error');
				case 'hidden-error':
					return failed(200, 230_013, 'Bot has NO availability to this user.');
			}
		},
	});
	return {
		...served,
		settings: {...app, base_url: served.baseUrl},
		chatId: chats[0]!,
		otherChatId: chats[1]!,
		thread: {thread_id: root},
	};
};

function giveToken(request: PlatformRequest, note: Note): PlatformAnswer {
	requireMethod(request, 'POST', failed(404, 99_991_201, 'method not found'));
	const refuse = (problem: string) => failed(200, 10_003, `invalid param: ${problem}`);
	const given = checked(jsonBody(request, refuse), credentials, {refuse, note});
	insist(given.app_id === app.app_id, `no app ${given.app_id}`, failed(200, 10_003, 'invalid param'));
	insist(given.app_secret === app.app_secret, 'the secret is wrong', failed(200, 10_014, 'app secret invalid'));
	return {status: 200, body: {code: 0, msg: 'ok', tenant_access_token: token, expire: 7200}};
}

function read(request: PlatformRequest, note: Note): ReceivedMessage {
	const {authorization} = request.headers;
	insist(authorization !== undefined, 'no token', failed(400, 99_991_661, 'Missing access token for authorization.'));
	const isRight = authorization === `Bearer ${token}`;
	insist(isRight, 'the token is wrong', failed(400, 99_991_663, 'Invalid access token for authorization.'));
	const found = /^\/open-apis\/im\/v1\/messages(?:\/([^/]+)\/reply)?$/.exec(request.path);
	insist(found !== null, `${request.path}: no such path`, {status: 404, body: '404 page not found'});
	requireMethod(request, 'POST', {status: 404, body: '404 page not found'});
	const words = {refuse: invalid, note};
	const value = jsonBody(request, invalid);
	if (found[1] !== undefined) {
		noteOtherQuery(request, [], note);
		insist(found[1] === root, `no message ${found[1]}`, invalid('invalid message_id'));
		const sent = checked(value, replied, words);
		return {chat: chats[0]!, text: visible(sent, note), thread: root, ...(sent.uuid && {repeatKey: sent.uuid})};
	}

	noteOtherQuery(request, ['receive_id_type'], note);
	const idType = request.query.get('receive_id_type');
	insist(idType === 'chat_id', `receive_id_type is ${idType}`, failed(400, 99_992_402, 'field validation failed'));
	const sent = checked(value, created, words);
	insist(sent.receive_id.startsWith('oc_'), `receive_id ${sent.receive_id}`, invalid('invalid receive_id'));
	insist(chats.includes(sent.receive_id), `not in chat ${sent.receive_id}`, outside);
	return {chat: sent.receive_id, text: visible(sent, note), ...(sent.uuid && {repeatKey: sent.uuid})};
}

function visible({msg_type: type, content}: {msg_type: string; content: string}, note: Note): string {
	const limit = type === 'text' ? 150 * 1024 : 30 * 1024;
	const tooLong = failed(400, 230_025, 'The length of the message content reaches its limit.');
	insist(bytes(content) <= limit, `${bytes(content)} bytes`, tooLong);
	const value = parsedJson(content, () => invalid('content is not a string in json format'));
	const words = {refuse: invalid, note};
	const text =
		type === 'text'
			? checked(value, z.strictObject({text: z.string()}), words).text
			: type === 'post'
				? visiblePost(checked(value, post, words))
				: visibleCard(checked(value, card, words));
	insist(text.trim() !== '', 'the content is empty', invalid('text content is empty'));
	return text;
}
