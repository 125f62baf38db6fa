/*
Made from https://bot.q.qq.com/wiki/develop/api-v2/dev-prepare/interface-framework/api-use.html (getAppAccessToken,
`QQBot` authorization), /develop/api-v2/server-inter/message/send-receive/send.html (users and groups, msg_type, msg_id
with msg_seq: the same pair twice fails) and /develop/api-v2/openapi/error/error.html (code, message, trace_id).
40054005 is what the server says of a pair sent twice: https://github.com/HKUDS/nanobot/pull/1499.
*/
import {z} from 'zod';
import {type OpenPlatform, type ReceivedMessage} from './platform-simulator.ts';
import {type Note, type PlatformAnswer, type PlatformRequest, servePlatform} from './platform-server.ts';
import {anything, checked, insist, jsonBody, noteOtherQuery, requireMethod} from './request-checks.ts';

const app = {appId: '102012345', clientSecret: 'q1w2e3r4t5y6u7i8o9p0'};
const token = 'ACCESS-TOKEN-0001';
const user = '6836D8522EE75AD3732E75C0D3B6F33A';
const group = 'A7B9E0C1D2F3456789ABCDEF01234567';
const question = 'ROBOT1.0_rPi8nvmC5Vd7prorHpcvS0-fh9JLYG';

const credentials = z.strictObject({appId: z.string(), clientSecret: z.string()});
const body = z.strictObject({
	content: z.string().optional(),
	msg_type: z.union([z.literal(0), z.literal(2)]),
	markdown: z.looseObject({content: z.string().optional()}).optional(),
	keyboard: anything,
	media: anything,
	ark: anything,
	message_reference: anything,
	event_id: anything,
	msg_id: z.string().optional(),
	msg_seq: z.number().int().positive().optional(),
	is_wakeup: anything,
});

const failed = (status: number, code: number, message: string): PlatformAnswer => ({
	status,
	body: {message, code, err_code: code, trace_id: '8cbfe05773d4402496e605e19336e396'},
});
const invalid = (problem: string) => failed(400, 11_255, `invalid request: ${problem}`);
const noTarget = failed(400, 11_255, 'invalid request');

/** Opens a pretended `api.sgroup.qq.com` and `bots.qq.com` with one bot, a user and a group. */
export const openQqbot: OpenPlatform = async () => {
	const answered = new Set<string>();
	const served = await servePlatform({
		aside: (request, note) => (request.path === '/app/getAppAccessToken' ? giveToken(request, note) : undefined),
		read: (request, note) => read(request, note, answered),
		taken: message => void (message.repeatKey !== undefined && answered.add(message.repeatKey)),
		accept: (_message, position) => ({status: 200, body: {id: `ROBOT1.0_${position}`, timestamp: 1_700_000_000}}),
		trouble: trouble => {
			switch (trouble.kind) {
				// No wait is told.
				case 'rate-limited':
					return failed(429, 11_264, '接口调用超过频率限制');
				case 'rejected':
					return noTarget;
				case 'server-error':
					return failed(500, 11_241, '内部错误');
				case 'hidden-error':
					return failed(200, 40_034_102, '主动消息失败, 无权限');
			}
		},
	});
	return {
		...served,
		settings: {
			app_id: app.appId,
			client_secret: app.clientSecret,
			base_url: served.baseUrl,
			token_url: served.baseUrl,
		},
		chatId: user,
		otherChatId: `group:${group}`,
	};
};

/** Tells a wrong secret inside a 200, and the lifetime as a string. */
function giveToken(request: PlatformRequest, note: Note): PlatformAnswer {
	const refuse = (problem: string) => failed(200, 100_001, problem);
	requireMethod(request, 'POST', {status: 405});
	const given = checked(jsonBody(request, refuse), credentials, {refuse, note});
	const isRight = given.appId === app.appId && given.clientSecret === app.clientSecret;
	insist(isRight, 'the app id or the secret is wrong', failed(200, 100_016, 'invalid appid or secret'));
	return {status: 200, body: {access_token: token, expires_in: '7200'}};
}

function read(request: PlatformRequest, note: Note, answered: ReadonlySet<string>): ReceivedMessage {
	const isRight = request.headers.authorization === `QQBot ${token}`;
	insist(isRight, 'the token is wrong', failed(401, 11_244, 'token不存在或过期'));
	const found = /^\/v2\/(users|groups)\/([^/]+)\/messages$/.exec(request.path);
	insist(found !== null, `${request.path}: no such path`, failed(404, 11_251, 'not found'));
	requireMethod(request, 'POST', failed(405, 11_252, 'method not allowed'));
	noteOtherQuery(request, [], note);
	const sent = checked(jsonBody(request, invalid), body, {refuse: invalid, note});
	const id = decodeURIComponent(found[2] ?? '');
	insist(id === (found[1] === 'users' ? user : group), `no ${found[1]} ${id}`, noTarget);
	const text = (sent.msg_type === 2 ? sent.markdown?.content : sent.content) ?? '';
	insist(text.trim() !== '', 'the content is empty', failed(400, 40_034_011, '消息内容不能为空'));
	const key = sent.msg_id === undefined ? undefined : `${sent.msg_id} ${sent.msg_seq ?? 1}`;
	const isKnown = sent.msg_id === undefined || sent.msg_id === question;
	insist(isKnown, `no message ${sent.msg_id}`, failed(400, 40_034_024, '请求参数msg_id无效或越权'));
	const isNew = key === undefined || !answered.has(key);
	insist(isNew, `${key} was sent before`, failed(400, 40_054_005, '消息被去重，请检查请求msgseq'));
	return {
		chat: found[1] === 'users' ? user : `group:${group}`,
		text,
		...(key !== undefined && {thread: question, repeatKey: key}),
	};
}
