/*
Made from https://open.dingtalk.com/document/robots/custom-robot-access (POST, UTF-8 JSON, 20 messages a minute),
https://open.dingtalk.com/document/robots/customize-robot-security-settings (timestamp in ms within an hour, sign =
base64 of HMAC-SHA256 of "timestamp\nsecret", URL-encoded), /document/orgapp/custom-bot-send-message-type (text,
markdown) and /document/orgapp/custom-bot-to-send-group-chat-messages (error codes). Every error comes inside a 200.
*/
import {createHmac} from 'node:crypto';
import {z} from 'zod';
import {type OpenPlatform, type ReceivedMessage} from './platform-simulator.ts';
import {type Note, type PlatformAnswer, type PlatformRequest, servePlatform} from './platform-server.ts';
import {bytes, checked, insist, jsonBody, noteOtherQuery, requireMethod, requirePath} from './request-checks.ts';

const token = '566cc69da782ec33e42541b4b7a7b9aa5d9dc3d8a2ac2b9c3f1c7f1e1a2b3c4d';
const secret = 'SEC7d3b5a2f0c3f4d6e8b9a1c2d3e4f5a6b7c8d9e0f';
const chat = 'the group of the robot';

const at = z
	.strictObject({
		atMobiles: z.array(z.string()).optional(),
		atUserIds: z.array(z.string()).optional(),
		isAtAll: z.boolean().optional(),
	})
	.optional();
const kind = z.looseObject({msgtype: z.enum(['text', 'markdown'])});
const text = z.strictObject({msgtype: z.literal('text'), text: z.strictObject({content: z.string()}), at});
const markdown = z.strictObject({
	msgtype: z.literal('markdown'),
	markdown: z.strictObject({title: z.string(), text: z.string()}),
	at,
});

const failed = (errcode: number, errmsg: string): PlatformAnswer => ({status: 200, body: {errcode, errmsg}});
const invalid = (problem: string) => failed(40_035, `缺少参数 json: ${problem}`);

/** Opens a pretended `oapi.dingtalk.com` with one signed robot in one group. */
export const openDingtalk: OpenPlatform = async ({clock = {now: Date.now}} = {}) => {
	const served = await servePlatform({
		read: (request, note) => read(request, note, clock.now()),
		accept: () => failed(0, 'ok'),
		trouble: trouble => {
			switch (trouble.kind) {
				// No wait is told; the robot is silenced for ten minutes.
				case 'rate-limited':
					return failed(130_101, 'send too fast, exceed 20 times per minute');
				case 'rejected':
					return failed(300_005, 'token is not exist');
				case 'server-error':
					return failed(-1, '系统繁忙');
				case 'hidden-error':
					return failed(
						310_000,
						'keywords not in content, more: [https://ding-doc.dingtalk.com/doc#/serverapi2/qf2nxq]',
					);
			}
		},
	});
	return {
		...served,
		settings: {webhook_url: `${served.baseUrl}/robot/send?access_token=${token}`, secret},
		chatId: chat,
		otherChatId: chat,
	};
};

function read(request: PlatformRequest, note: Note, now: number): ReceivedMessage {
	requirePath(request, '/robot/send', {status: 404, body: 'Not Found'});
	requireMethod(request, 'POST', failed(43_002, '需要POST请求'));
	noteOtherQuery(request, ['access_token', 'timestamp', 'sign'], note);
	insist(request.query.get('access_token') === token, 'the token is wrong', failed(300_005, 'token is not exist'));
	checkSignature(request, now);
	const value = jsonBody(request, () => failed(43_004, '无效的HTTP HEADER Content-Type'));
	insist(
		bytes(request.body) <= 20_000,
		`${bytes(request.body)} bytes`,
		failed(460_101, 'message too long, exceed 20000 bytes'),
	);
	const words = {refuse: invalid, note};
	const sent =
		checked(value, kind, words).msgtype === 'text'
			? checked(value, text, words).text.content
			: visibleMarkdown(checked(value, markdown, words).markdown);
	insist(sent.trim() !== '', 'the text is empty', failed(400_106, 'empty content'));
	return {chat, text: sent};
}

function visibleMarkdown({title, text: body}: {title: string; text: string}): string {
	insist(title.trim() !== '', 'the title is empty', failed(400_105, 'empty title'));
	return body;
}

function checkSignature(request: PlatformRequest, now: number): void {
	const timestamp = request.query.get('timestamp') ?? '';
	const isFresh = /^\d{13}$/.test(timestamp) && Math.abs(now - Number(timestamp)) <= 3_600_000;
	insist(isFresh, `the timestamp is "${timestamp}"`, failed(310_000, 'invalid timestamp'));
	const sign = createHmac('sha256', secret).update(`${timestamp}\n${secret}`).digest('base64');
	insist(request.query.get('sign') === sign, 'the sign is wrong', failed(310_000, 'sign not match'));
}
