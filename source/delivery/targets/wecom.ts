import {readToken} from '../access-token.ts';
import {addressBelow} from '../../net/address-below.ts';
import {plainText, quietMentions} from '../dialects.ts';
import {parseDeliveryResponse, type Reading, textAt} from '../parse-response.ts';
import {type DeliveryTarget, type Part, type SendContext} from '../target.ts';

const tooFastCodes: readonly string[] = ['45009', '45033'];
const staleTokenCodes: readonly string[] = ['40014', '42001', '41001'];
const mention = /<@/gu;

/** The time in which WeCom detects a repeated text to the same person. */
const duplicateSeconds = 600;

/** WeCom: its application messages, or a group robot's webhook (developer.work.weixin.qq.com/document). Errors come inside a 200. */
export const wecom = {
	name: 'wecom',
	limit: {unit: 'bytes', maximum: 2048},
	repeat: ({settings}) => (hasApp(settings) ? 'safe' : 'unsafe'),
	chat: settings =>
		hasApp(settings)
			? {kind: 'named', grammar: /^[A-Za-z0-9][A-Za-z0-9._@-]{0,63}$/u, words: 'the id of one member'}
			: {kind: 'bound'},
	send: async (part, context) => (hasApp(context.settings) ? sendByApp(part, context) : sendByHook(part, context)),
} satisfies DeliveryTarget & {readonly name: 'wecom'};

async function sendByHook({text}: Part, {settings, call}: SendContext) {
	const json = {msgtype: 'text', text: {content: contentOf(text)}};
	return parseDeliveryResponse(await call({url: new URL(settings.webhookUrl), json}), read);
}

async function sendByApp({text, chat}: Part, context: SendContext) {
	const {settings, call} = context;
	const token = await tokenOf(context);
	if (token.kind !== 'token') {
		return token;
	}

	const answer = await call({
		url: addressBelow(settings.baseUrl, ['cgi-bin', 'message', 'send'], {access_token: token.token}),
		json: {
			touser: chat,
			msgtype: 'text',
			agentid: Number(settings.agentId),
			text: {content: contentOf(text)},
			safe: 0,
			enable_duplicate_check: 1,
			duplicate_check_interval: duplicateSeconds,
		},
	});
	return parseDeliveryResponse(answer, json => {
		const reached = read(json);
		const nobody = textAt(json, 'invaliduser');
		return nobody === '' ? reached : {...reached, isTaken: false, words: `no such member: ${nobody}`};
	});
}

async function tokenOf({settings, call, accessTokens}: SendContext) {
	const {baseUrl, corpId, secret} = settings;
	return accessTokens.get(`wecom ${baseUrl} ${corpId} ${secret}`, async () => {
		const url = addressBelow(baseUrl, ['cgi-bin', 'gettoken'], {corpid: corpId, corpsecret: secret});
		const answer = await call({method: 'GET', url});
		return readToken(answer, read, {token: 'access_token', lifetime: 'expires_in'});
	});
}

function read(json: Parameters<typeof textAt>[0]): Reading {
	const code = textAt(json, 'errcode');
	return {
		isTaken: code === '0',
		words: `${textAt(json, 'errmsg')} (errcode ${code})`,
		isTokenStale: staleTokenCodes.includes(code),
		...(tooFastCodes.includes(code) ? {waitSeconds: 0} : {}),
	};
}

function contentOf(text: string): string {
	return quietMentions(plainText(text), mention);
}

function hasApp({corpId, agentId, secret}: SendContext['settings']): boolean {
	return corpId !== '' && agentId !== '' && secret !== '';
}
