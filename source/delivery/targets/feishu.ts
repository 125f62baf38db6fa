import {createHmac} from 'node:crypto';
import {readToken} from '../access-token.ts';
import {addressBelow} from '../../net/address-below.ts';
import {extraText} from '../chat.ts';
import {plainText, quietMentions} from '../dialects.ts';
import {parseDeliveryResponse, type Reading, textAt} from '../parse-response.ts';
import {type DeliveryTarget, type Part, type SendContext} from '../target.ts';

const tooFastCodes: readonly string[] = ['11232', '99991400', '230020'];
const staleTokenCodes: readonly string[] = ['99991661', '99991663', '99991668'];
const mentionTag = /<at\b/giu;

/** Feishu: its message API with an app, or a custom robot's webhook (open.feishu.cn/document). Errors come inside a 200. */
export const feishu = {
	name: 'feishu',
	limit: {unit: 'bytes', maximum: 18_000},
	// The message API stores a `uuid` for an hour; the webhook has no key.
	repeat: ({settings}) => (hasApp(settings) ? 'safe' : 'unsafe'),
	chat: settings =>
		hasApp(settings)
			? {
					kind: 'named',
					grammar: /^(?:o[cun]_[A-Za-z0-9_]{6,64}|[A-Za-z0-9._+-]{1,64}@[A-Za-z0-9.-]{3,100})$/u,
					words: 'an id of a chat or a person (oc_…, ou_…, on_…) or an e-mail address',
				}
			: {kind: 'bound'},
	refuse: extra => (/^(?:om_\w{6,64})?$/u.test(threadOf(extra)) ? undefined : 'message_id is not the id of a message'),
	send: async (part, context) => (hasApp(context.settings) ? sendByApp(part, context) : sendByHook(part, context)),
} satisfies DeliveryTarget & {readonly name: 'feishu'};

async function sendByHook({text}: Part, {settings, call, now}: SendContext) {
	const {webhookUrl, secret} = settings;
	const message = {msg_type: 'text', content: {text: contentOf(text)}};
	return parseDeliveryResponse(
		await call({url: new URL(webhookUrl), json: {...signature(secret, now()), ...message}}),
		read,
	);
}

async function sendByApp({text, chat, extra, repeatKey}: Part, context: SendContext) {
	const {settings, call} = context;
	const token = await tokenOf(context);
	if (token.kind !== 'token') {
		return token;
	}

	const message = {msg_type: 'text', content: JSON.stringify({text: contentOf(text)}), uuid: repeatKey};
	const below = ['open-apis', 'im', 'v1', 'messages'];
	const thread = threadOf(extra);
	const answer = await call({
		headers: {Authorization: `Bearer ${token.token}`},
		...(thread === ''
			? {
					url: addressBelow(settings.baseUrl, below, {receive_id_type: typeOf(chat)}),
					json: {receive_id: chat, ...message},
				}
			: {
					url: addressBelow(settings.baseUrl, [...below, thread, 'reply']),
					json: {...message, reply_in_thread: true},
				}),
	});
	return parseDeliveryResponse(answer, read);
}

async function tokenOf({settings, call, accessTokens}: SendContext) {
	const {baseUrl, appId, appSecret} = settings;
	return accessTokens.get(`feishu ${baseUrl} ${appId} ${appSecret}`, async () => {
		const url = addressBelow(baseUrl, ['open-apis', 'auth', 'v3', 'tenant_access_token', 'internal']);
		const answer = await call({url, json: {app_id: appId, app_secret: appSecret}});
		return readToken(answer, read, {token: 'tenant_access_token', lifetime: 'expire'});
	});
}

function read(json: Parameters<typeof textAt>[0], {headers}: {readonly headers?: Headers} = {}): Reading {
	const code = textAt(json, 'code') || textAt(json, 'StatusCode');
	return {
		isTaken: code === '0',
		words: `${textAt(json, 'msg')} (code ${code})`,
		isTokenStale: staleTokenCodes.includes(code),
		...(tooFastCodes.includes(code) ? {waitSeconds: Number(headers?.get('x-ogw-ratelimit-reset') ?? 0)} : {}),
	};
}

/** The key is `<seconds>\n<secret>`, and the signed content is empty. */
function signature(secret: string, milliseconds: number): Part['extra'] {
	const timestamp = String(Math.floor(milliseconds / 1000));
	return secret === ''
		? {}
		: {timestamp, sign: createHmac('sha256', `${timestamp}\n${secret}`).update('').digest('base64')};
}

/** A text can mention people by tags; a payload must not. */
function contentOf(text: string): string {
	return quietMentions(plainText(text), mentionTag);
}

function typeOf(chat: string): string {
	const types: Readonly<Record<string, string>> = {oc_: 'chat_id', ou_: 'open_id', on_: 'union_id'};
	return types[chat.slice(0, 3)] ?? 'email';
}

function hasApp({appId, appSecret}: SendContext['settings']): boolean {
	return appId !== '' && appSecret !== '';
}

function threadOf(extra: Part['extra']): string {
	return extraText(extra, 'message_id', 'root_id', 'thread_id');
}
