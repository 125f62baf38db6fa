import {createHmac} from 'node:crypto';
import {plainText} from '../dialects.ts';
import {parseDeliveryResponse, textAt} from '../parse-response.ts';
import {type DeliveryTarget} from '../target.ts';

/** The robot webhook's codes for "too fast", old and new. The robot is then blocked for minutes, longer than any delivery can wait. */
const tooFastCodes: readonly string[] = ['130101', '410100'];
const restSeconds = 60;

/** DingTalk's custom robot (open.dingtalk.com, custom robot access). Errors come inside a 200. */
export const dingtalk = {
	name: 'dingtalk',
	limit: {unit: 'bytes', maximum: 18_000},
	repeat: () => 'unsafe',
	chat: () => ({kind: 'bound'}),
	async send({text}, {settings, call, now}) {
		const answer = await call({
			url: signed(new URL(settings.webhookUrl), settings.secret, now()),
			json: {msgtype: 'text', text: {content: plainText(text)}, at: {isAtAll: false}},
		});
		return parseDeliveryResponse(answer, json => {
			const code = textAt(json, 'errcode');
			return {
				isTaken: code === '0',
				words: `${textAt(json, 'errmsg')} (errcode ${code})`,
				...(tooFastCodes.includes(code) ? {waitSeconds: restSeconds} : {}),
			};
		});
	},
} satisfies DeliveryTarget & {readonly name: 'dingtalk'};

/** `sign` is the HMAC of `<milliseconds>\n<secret>` with the secret as its key. */
function signed(url: URL, secret: string, milliseconds: number): URL {
	if (secret !== '') {
		const sign = createHmac('sha256', secret).update(`${milliseconds}\n${secret}`).digest('base64');
		url.searchParams.set('timestamp', String(milliseconds));
		url.searchParams.set('sign', sign);
	}

	return url;
}
