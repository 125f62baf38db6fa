import {randomBytes} from 'node:crypto';
import {addressBelow} from '../../net/address-below.ts';
import {extraText} from '../chat.ts';
import {plainText} from '../dialects.ts';
import {parseDeliveryResponse, textAt} from '../parse-response.ts';
import {type DeliveryTarget} from '../target.ts';

const botMessage = 2;
const finished = 2;
const textItem = 1;
const tooFastCode = '-2';

/** Weixin's iLink bot API, `sendmessage`. It can only message people who wrote before: their last `context_token` comes from `deliver_extra` or the state file. */
export const weixin = {
	name: 'weixin',
	limit: {unit: 'code-points', maximum: 2000},
	// `client_id` identifies a message, but nothing documents that a duplicate is dropped.
	repeat: () => 'unsafe',
	chat: () => ({
		kind: 'named',
		grammar: /^[A-Za-z0-9_-]{3,128}(?:@[A-Za-z0-9.-]{1,64})?$/u,
		words: 'the id of a person (…@im.wechat)',
	}),
	async send({text, chat, extra, repeatKey}, {settings, call, stateFile}) {
		const token = extraText(extra, 'context_token') || (await stateFile(`weixin-${settings.accountId}`))[chat] || '';
		if (token === '') {
			return {
				kind: 'refused',
				detail: 'no context_token for this person in deliver_extra or the state file of the account',
			};
		}

		const answer = await call({
			url: addressBelow(settings.baseUrl, ['ilink', 'bot', 'sendmessage']),
			headers: {
				Authorization: `Bearer ${settings.token}`,
				AuthorizationType: 'ilink_bot_token',
				'X-WECHAT-UIN': Buffer.from(String(randomBytes(4).readUInt32BE())).toString('base64'),
			},
			json: {
				msg: {
					from_user_id: '',
					to_user_id: chat,
					client_id: repeatKey,
					message_type: botMessage,
					message_state: finished,
					context_token: token,
					item_list: [{type: textItem, text_item: {text: plainText(text)}}],
				},
				base_info: {channel_version: '1.0.0'},
			},
		});
		return parseDeliveryResponse(answer, json => {
			const codes = [textAt(json, 'ret'), textAt(json, 'errcode')].filter(Boolean);
			const words = textAt(json, 'errmsg');
			// An expired session has the same code; then its message says that the error is unknown.
			const isTooFast = codes.includes(tooFastCode) && !/unknown/iu.test(words);
			return {
				isTaken: codes.length > 0 && codes.every(code => code === '0'),
				words: `${words} (${codes.join(', ')})`,
				...(isTooFast ? {waitSeconds: 0} : {}),
			};
		});
	},
} satisfies DeliveryTarget & {readonly name: 'weixin'};
