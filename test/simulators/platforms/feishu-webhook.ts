/*
Made from https://open.feishu.cn/document/client-docs/bot-v3/add-custom-bot (body of 20 KB, 100 messages a minute and
5 a second, sign = base64 of HMAC-SHA256 of nothing under the key "timestamp\nsecret", timestamp in seconds within an
hour, error codes 9499, 11232, 19001, 19021, 19024). Every error comes inside a 200.
*/
import {createHmac} from 'node:crypto';
import {z} from 'zod';
import {card, post, visibleCard, visiblePost} from './feishu-content.ts';
import {type OpenPlatform, type ReceivedMessage} from './platform-simulator.ts';
import {type Note, type PlatformAnswer, type PlatformRequest, servePlatform} from './platform-server.ts';
import {bytes, checked, insist, jsonBody, noteOtherQuery, requireMethod} from './request-checks.ts';

const token = '0123abcd-4567-89ef-0123-456789abcdef';
const secret = 'x2kcYQc0uaKxVyIz5nk5lb';
const chat = 'the group of the robot';

const signed = {timestamp: z.union([z.string(), z.number().int()]), sign: z.string()};
const kind = z.looseObject({msg_type: z.enum(['text', 'post', 'interactive'])});
const text = z.strictObject({...signed, msg_type: z.literal('text'), content: z.strictObject({text: z.string()})});
const rich = z.strictObject({...signed, msg_type: z.literal('post'), content: z.strictObject({post})});
const interactive = z.strictObject({...signed, msg_type: z.literal('interactive'), card});

const failed = (code: number, msg: string): PlatformAnswer => ({status: 200, body: {code, msg, data: {}}});
const badRequest = () => failed(9499, 'Bad Request');

/** Opens a pretended `open.feishu.cn` with one signed custom bot in one group. */
export const openFeishuWebhook: OpenPlatform = async ({clock = {now: Date.now}} = {}) => {
	const served = await servePlatform({
		read: (request, note) => read(request, note, clock.now()),
		accept: () => ({
			status: 200,
			body: {StatusCode: 0, StatusMessage: 'success', code: 0, data: {}, msg: 'success'},
		}),
		trouble: trouble => {
			switch (trouble.kind) {
				// No wait is told.
				case 'rate-limited':
					return failed(11_232, 'frequency limited psm[lark.oapi.app_platform_runtime]appID[1500]');
				case 'rejected':
					return failed(19_001, 'param invalid: incoming webhook access token invalid');
				case 'server-error':
					return {status: 500, body: {code: 1500, msg: 'internal error', data: {}}};
				case 'hidden-error':
					return failed(19_024, 'Key Words Not Found');
			}
		},
	});
	return {
		...served,
		settings: {webhook_url: `${served.baseUrl}/open-apis/bot/v2/hook/${token}`, secret},
		chatId: chat,
		otherChatId: chat,
	};
};

function read(request: PlatformRequest, note: Note, now: number): ReceivedMessage {
	const given = /^\/open-apis\/bot\/v2\/hook\/([^/]+)$/.exec(request.path)?.[1];
	insist(given !== undefined, `${request.path}: no such path`, {status: 404, body: '404 page not found'});
	requireMethod(request, 'POST', {status: 404, body: '404 page not found'});
	noteOtherQuery(request, [], note);
	const isRight = given === token;
	insist(isRight, 'the token is wrong', failed(19_001, 'param invalid: incoming webhook access token invalid'));
	insist(bytes(request.body) <= 20 * 1024, `${bytes(request.body)} bytes`, badRequest());
	const sent = visible(jsonBody(request, badRequest), note, now);
	insist(sent.trim() !== '', 'the content is empty', badRequest());
	return {chat, text: sent};
}

function visible(value: unknown, note: Note, now: number): string {
	const words = {refuse: badRequest, note};
	checkSignature(checked(value, z.looseObject({timestamp: z.unknown(), sign: z.unknown()}), words), now);
	switch (checked(value, kind, words).msg_type) {
		case 'text':
			return checked(value, text, words).content.text;
		case 'post':
			return visiblePost(checked(value, rich, words).content.post);
		case 'interactive':
			return visibleCard(checked(value, interactive, words).card);
	}
}

function checkSignature({timestamp, sign}: {timestamp?: unknown; sign?: unknown}, now: number): void {
	const seconds = String(timestamp);
	const isFresh = /^\d{10}$/.test(seconds) && Math.abs(now / 1000 - Number(seconds)) <= 3600;
	const expected = createHmac('sha256', `${seconds}\n${secret}`).digest('base64');
	const answer = failed(19_021, 'sign match fail or timestamp is not within one hour from current time');
	insist(isFresh, `the timestamp is "${seconds}"`, answer);
	insist(sign === expected, 'the sign is wrong', answer);
}
