import {readToken} from '../access-token.ts';
import {addressBelow} from '../../net/address-below.ts';
import {extraText} from '../chat.ts';
import {plainText, quietMentions} from '../dialects.ts';
import {parseDeliveryResponse, textAt} from '../parse-response.ts';
import {type DeliveryTarget, type SendContext} from '../target.ts';

const staleTokenCodes: readonly string[] = ['11242', '11243', '11244'];
const tooFastCodes: readonly string[] = ['22009', '20028', '304045', '304046', '304047', '304048', '304049', '304050'];
const mention = /<@/gu;
const textMessage = 0;

/** The kinds of chats, with the paths for their messages. */
const places: Readonly<Record<string, readonly string[]>> = {
	user: ['v2', 'users'],
	group: ['v2', 'groups'],
	channel: ['channels'],
};

/** QQ's bot API (bot.q.qq.com/wiki/develop/api-v2). A reply needs the `msg_id` of the original message; messages initiated by the bot are limited. */
export const qqbot = {
	name: 'qqbot',
	limit: {unit: 'code-points', maximum: 2000},
	repeat: () => 'unsafe',
	chat: () => ({
		kind: 'named',
		grammar: /^(?:(?:user|group|channel):)?[A-Za-z0-9_-]{4,128}$/u,
		words: 'user:<openid>, group:<openid> or channel:<id>',
	}),
	async send({text, chat, extra, index}, context) {
		const {settings, call} = context;
		const token = await tokenOf(context);
		if (token.kind !== 'token') {
			return token;
		}

		const [kind = '', id = ''] = chat.includes(':') ? chat.split(':') : ['user', chat];
		const message = extraText(extra, 'msg_id');
		const answer = await call({
			url: addressBelow(settings.baseUrl, [...(places[kind] ?? []), id, 'messages']),
			headers: {Authorization: `QQBot ${token.token}`},
			json: {
				content: quietMentions(plainText(text), mention),
				...(kind === 'channel' ? {} : {msg_type: textMessage}),
				...(message === '' ? {} : {msg_id: message, msg_seq: (Number(extraText(extra, 'msg_seq')) || 1) + index}),
			},
		});
		return parseDeliveryResponse(answer, json => {
			const code = textAt(json, 'code') || textAt(json, 'err_code');
			return {
				isTaken: textAt(json, 'id') !== '' && (code === '' || code === '0'),
				words: `${textAt(json, 'message')}${code === '' ? '' : ` (code ${code})`}`,
				isTokenStale: staleTokenCodes.includes(code),
				...(tooFastCodes.includes(code) ? {waitSeconds: 0} : {}),
			};
		});
	},
} satisfies DeliveryTarget & {readonly name: 'qqbot'};

async function tokenOf({settings, call, accessTokens}: SendContext) {
	const {tokenUrl, appId, clientSecret} = settings;
	return accessTokens.get(`qqbot ${tokenUrl} ${appId} ${clientSecret}`, async () => {
		const url = addressBelow(tokenUrl, ['app', 'getAppAccessToken']);
		const answer = await call({url, json: {appId, clientSecret}});
		const read = (json: Parameters<typeof textAt>[0]) => ({
			isTaken: textAt(json, 'access_token') !== '',
			words: `${textAt(json, 'message')} (code ${textAt(json, 'code')})`,
		});
		return readToken(answer, read, {token: 'access_token', lifetime: 'expires_in'});
	});
}
