/*
Made from https://github.com/Tencent/openclaw-weixin/blob/main/docs/protocol.md (headers, base_info, sendMessage, the
message model, `ret` inside a 200) and src/messaging/send.ts there (the fields of a bot's text). It promises nothing of a
repeated `client_id`. 16 KiB of text: release notes of https://github.com/Oaklight/weilink/releases/tag/v0.4.0.
*/
import {z} from 'zod';
import {type OpenPlatform, type ReceivedMessage} from './platform-simulator.ts';
import {type Note, type PlatformAnswer, type PlatformRequest, servePlatform} from './platform-server.ts';
import {
	anything,
	bytes,
	checked,
	insist,
	jsonBody,
	noteOtherQuery,
	requireMethod,
	requirePath,
} from './request-checks.ts';

const token = 'bot-4f1d9c0b@im.bot:2c6e1b7a';
const account = '4f1d9c0b@im.bot';
const users = ['o9cq800kum_4qZ8@im.wechat', 'o9cq800kum_5rY9@im.wechat'];
const contextToken = 'AARzJWAFAAABAAAAAAAp1m3u7oS';

const body = z.strictObject({
	msg: z.strictObject({
		from_user_id: z.literal('').optional(),
		to_user_id: z.string(),
		client_id: z.string().optional(),
		message_type: z.literal(2).optional(),
		message_state: z.literal(2).optional(),
		item_list: z.array(z.strictObject({type: z.literal(1), text_item: z.strictObject({text: z.string()})})).min(1),
		context_token: z.string().optional(),
		run_id: anything,
	}),
	base_info: z.strictObject({channel_version: z.string(), bot_agent: z.string().optional()}).optional(),
});

const failed = (ret: number, errmsg: string): PlatformAnswer => ({status: 200, body: {ret, errcode: ret, errmsg}});
const invalid = (problem: string) => failed(-1, `invalid request: ${problem}`);

/** Opens a pretended `ilinkai.weixin.qq.com` with one bot and two peers that wrote to it. */
export const openWeixin: OpenPlatform = async () => {
	const served = await servePlatform({
		guard: request => {
			const type = request.headers.authorizationtype;
			insist(type === 'ilink_bot_token', `AuthorizationType is ${String(type)}`, failed(-14, 'session timeout'));
			const isRight = request.headers.authorization === `Bearer ${token}`;
			insist(isRight, 'the token is wrong', failed(-14, 'session timeout'));
		},
		aside: request =>
			request.path === '/ilink/bot/getconfig' ? {status: 200, body: {ret: 0, typing_ticket: 'dGlja2V0'}} : undefined,
		read,
		accept: () => ({status: 200, body: {ret: 0, errmsg: ''}}),
		trouble: trouble => {
			switch (trouble.kind) {
				// No wait is told.
				case 'rate-limited':
					return failed(-2, 'freq limit');
				case 'rejected':
					return failed(-1, 'invalid to_user_id');
				case 'server-error':
					return {status: 500, body: 'Internal Server Error'};
				case 'hidden-error':
					return failed(-14, 'session timeout');
			}
		},
	});
	return {
		...served,
		settings: {token, account_id: account, base_url: served.baseUrl},
		chatId: users[0]!,
		otherChatId: users[1]!,
		extra: {context_token: contextToken},
	};
};

function read(request: PlatformRequest, note: Note): ReceivedMessage {
	requirePath(request, '/ilink/bot/sendmessage', {status: 404, body: 'Not Found'});
	requireMethod(request, 'POST', {status: 405, body: 'Method Not Allowed'});
	noteOtherQuery(request, [], note);
	checkUin(String(request.headers['x-wechat-uin'] ?? ''));
	const sent = checked(jsonBody(request, invalid), body, {refuse: invalid, note});
	if (!sent.base_info) {
		note('base_info is missing');
	}

	const {msg} = sent;
	insist(users.includes(msg.to_user_id), `no user ${msg.to_user_id}`, failed(-1, 'invalid to_user_id'));
	const isKnown = msg.context_token === contextToken;
	insist(isKnown, `the context_token is ${msg.context_token}`, failed(-2, 'unknown error'));
	const text = msg.item_list.map(item => item.text_item.text).join('\n');
	insist(text.trim() !== '', 'the text is empty', invalid('empty text'));
	insist(bytes(text) <= 16 * 1024, `${bytes(text)} bytes`, invalid('text too long'));
	return {chat: msg.to_user_id, text, ...(msg.client_id !== undefined && {repeatKey: msg.client_id})};
}

/** The header is base64 of a random unsigned 32-bit number in decimal. */
function checkUin(header: string): void {
	const decimal = Buffer.from(header, 'base64').toString('utf8');
	const isNumber = /^\d{1,10}$/.test(decimal) && Number(decimal) <= 0xff_ff_ff_ff;
	insist(isNumber, `X-WECHAT-UIN is "${header}"`, invalid('X-WECHAT-UIN'));
}
