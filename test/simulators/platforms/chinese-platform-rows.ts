import {createHmac} from 'node:crypto';
import {bearer, emoji, type PlatformRow, post, withBody, withHeaders, withPath, wrongBearer} from './platform-row.ts';

/** The members of a signed Feishu hook's body beside its text. */
const emptyHook = JSON.stringify({
	timestamp: '1700000000',
	sign: 'x'.repeat(44),
	msg_type: 'text',
	content: {text: ''},
});

/** Right and wrong requests to the platforms of China, by their documentation. */
export const chinesePlatformRows: readonly PlatformRow[] = [
	{
		name: 'dingtalk',
		write: ({settings}, {text}) => {
			const url = new URL(settings.webhook_url);
			const timestamp = Date.now();
			const sign = createHmac('sha256', settings.secret).update(`${timestamp}\n${settings.secret}`).digest('base64');
			const path = `${url.pathname}${url.search}&timestamp=${timestamp}&sign=${encodeURIComponent(sign)}`;
			return post(path, {}, {msgtype: 'text', text: {content: text}});
		},
		spoil: {token: withPath('sign=', 'sign=a'), body: withBody({text: {text: 'no content'}})},
		answers: {
			token: {status: 200, body: {errcode: 310_000, errmsg: 'sign not match'}},
			method: {status: 200, body: {errcode: 43_002}},
			body: {status: 200, body: {errcode: 40_035}},
			'rate-limited': {status: 200, body: {errcode: 130_101}},
			rejected: {status: 200, body: {errcode: 300_005}},
			'server-error': {status: 200, body: {errcode: -1}},
			'hidden-error': {status: 200, body: {errcode: 310_000}},
		},
		longest: 'x'.repeat(20_000 - '{"msgtype":"text","text":{"content":""}}'.length),
	},
	{
		name: 'feishu',
		write: (_simulator, {chat, text, key, thread}) => {
			const message = {msg_type: 'text', content: JSON.stringify({text}), ...(key && {uuid: key})};
			const token = bearer('t-caecc734c2e3328a62489fe0648c4b98779515d3');
			return thread
				? post(`/open-apis/im/v1/messages/${thread}/reply`, token, {...message, reply_in_thread: true})
				: post('/open-apis/im/v1/messages?receive_id_type=chat_id', token, {...message, receive_id: chat});
		},
		spoil: {token: wrongBearer, body: withBody({content: {text: 'not a string'}})},
		answers: {
			token: {status: 400, body: {code: 99_991_663}},
			method: {status: 404},
			body: {status: 400, body: {code: 230_001}},
			'rate-limited': {status: 429, body: {code: 99_991_400}, headers: {'x-ogw-ratelimit-reset': '7'}},
			rejected: {status: 400, body: {code: 230_002}},
			'server-error': {status: 500},
			'hidden-error': {status: 200, body: {code: 230_013}},
		},
		longest: 'x'.repeat(150 * 1024 - '{"text":""}'.length),
		repeat: 'same',
	},
	{
		name: 'feishu-webhook',
		write: ({settings}, {text}) => {
			const timestamp = String(Math.floor(Date.now() / 1000));
			const sign = createHmac('sha256', `${timestamp}\n${settings.secret}`).digest('base64');
			const {pathname} = new URL(settings.webhook_url);
			return post(pathname, {}, {timestamp, sign, msg_type: 'text', content: {text}});
		},
		spoil: {token: withBody({sign: 'wrong'}), body: withBody({content: '{"text":"a string"}'})},
		answers: {
			token: {status: 200, body: {code: 19_021}},
			method: {status: 404},
			body: {status: 200, body: {code: 9499, msg: 'Bad Request'}},
			'rate-limited': {status: 200, body: {code: 11_232}},
			rejected: {status: 200, body: {code: 19_001}},
			'server-error': {status: 500},
			'hidden-error': {status: 200, body: {code: 19_024}},
		},
		longest: 'x'.repeat(20 * 1024 - emptyHook.length),
	},
	{
		name: 'wecom',
		write: ({settings}, {chat, text, key}) =>
			post(
				'/cgi-bin/message/send?access_token=accesstoken000001',
				{},
				{
					touser: chat,
					msgtype: 'text',
					agentid: settings.agent_id,
					text: {content: text},
					...(key && {enable_duplicate_check: 1}),
				},
			),
		spoil: {token: withPath('accesstoken000001', 'wrong'), body: withBody({agentid: '1000002'})},
		answers: {
			token: {status: 200, body: {errcode: 40_014}},
			method: {status: 200, body: {errcode: 43_002}},
			body: {status: 200, body: {errcode: 40_035}},
			'rate-limited': {status: 200, body: {errcode: 45_009}},
			rejected: {status: 200, body: {errcode: 81_013}},
			'server-error': {status: 200, body: {errcode: -1}},
			'hidden-error': {status: 200, body: {errcode: 60_020}},
		},
		repeat: 'same',
	},
	{
		name: 'wecom-webhook',
		write: ({settings}, {text}) => {
			const url = new URL(settings.webhook_url);
			return post(`${url.pathname}${url.search}`, {}, {msgtype: 'text', text: {content: text}});
		},
		spoil: {token: withPath('key=', 'key=0'), body: withBody({msgtype: 'txt'})},
		answers: {
			token: {status: 200, body: {errcode: 93_000}},
			method: {status: 200, body: {errcode: 43_002}},
			body: {status: 200, body: {errcode: 40_008}},
			'rate-limited': {status: 200, body: {errcode: 45_009}},
			rejected: {status: 200, body: {errcode: 93_000}},
			'server-error': {status: 200, body: {errcode: -1}},
			'hidden-error': {status: 200, body: {errcode: 93_017}},
		},
		longest: emoji(512),
	},
	{
		name: 'weixin',
		write: ({settings, extra}, {chat, text, key = 'one'}) => {
			const msg = {
				from_user_id: '',
				to_user_id: chat,
				client_id: key,
				message_type: 2,
				message_state: 2,
				item_list: [{type: 1, text_item: {text}}],
				context_token: extra?.context_token,
			};
			const headers = {
				...bearer(settings.token),
				authorizationtype: 'ilink_bot_token',
				'x-wechat-uin': btoa('1234567890'),
			};
			return post('/ilink/bot/sendmessage', headers, {msg, base_info: {channel_version: '1.0.0'}});
		},
		spoil: {token: wrongBearer, body: withHeaders({'x-wechat-uin': 'abc'})},
		answers: {
			token: {status: 200, body: {ret: -14}},
			method: {status: 405},
			body: {status: 200, body: {ret: -1}},
			'rate-limited': {status: 200, body: {ret: -2}},
			rejected: {status: 200, body: {ret: -1}},
			'server-error': {status: 500},
			'hidden-error': {status: 200, body: {ret: -14}},
		},
		longest: emoji(4096),
	},
	{
		name: 'qqbot',
		write: (_simulator, {chat, text, key}) => {
			const path = chat.startsWith('group:') ? `groups/${chat.slice(6)}` : `users/${chat}`;
			const reply = key && {msg_id: 'ROBOT1.0_rPi8nvmC5Vd7prorHpcvS0-fh9JLYG', msg_seq: 2};
			const token = {authorization: 'QQBot ACCESS-TOKEN-0001'};
			return post(`/v2/${path}/messages`, token, {content: text, msg_type: 0, ...reply});
		},
		spoil: {token: withHeaders({authorization: 'Bot 1.wrong'}), body: withBody({msg_type: '0'})},
		answers: {
			token: {status: 401, body: {code: 11_244}},
			method: {status: 405},
			body: {status: 400, body: {code: 11_255}},
			'rate-limited': {status: 429, body: {code: 11_264}},
			rejected: {status: 400, body: {code: 11_255}},
			'server-error': {status: 500},
			'hidden-error': {status: 200, body: {code: 40_034_102}},
		},
		repeat: 'refused',
	},
];
