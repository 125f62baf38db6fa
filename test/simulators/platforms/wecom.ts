/*
The app's side of WeCom, made from https://developer.work.weixin.qq.com/document/path/91039 (gettoken),
/document/path/90236 (message/send: touser, agentid, text and markdown of 2,048 bytes, enable_duplicate_check,
`invaliduser`), /document/path/90248 (appchat/send) and /document/path/90313 (codes). Every error comes inside a 200.
*/
import {createHash} from 'node:crypto';
import {z} from 'zod';
import {type OpenPlatform, type ReceivedMessage} from './platform-simulator.ts';
import {type Note, type PlatformAnswer, type PlatformRequest, servePlatform} from './platform-server.ts';
import {bytes, checked, insist, noteOtherQuery, parsedJson, requireMethod} from './request-checks.ts';

const corp = {corpid: 'wwabcdef0123456789', corpsecret: 'kL5zGoWc2yUq1SgGq9l0nQX5Zf3m8VdE7bT4hYcR6sA'};
const agent = 1_000_002;
const token = 'accesstoken000001';
const users = ['ZhangSan', 'LiSi'];

const flag = z.union([z.literal(0), z.literal(1)]).optional();
const content = {
	msgtype: z.enum(['text', 'markdown']),
	text: z.strictObject({content: z.string()}).optional(),
	markdown: z.strictObject({content: z.string()}).optional(),
};
const toUsers = z.strictObject({
	touser: z.string(),
	toparty: z.string().optional(),
	totag: z.string().optional(),
	agentid: z.number().int(),
	safe: flag,
	enable_id_trans: flag,
	enable_duplicate_check: flag,
	duplicate_check_interval: z.number().int().max(14_400).optional(),
	...content,
});

const hint = 'hint: [1635043469_160_1ea1b1d99cd2c82e], from ip: 127.0.0.1';
const failed = (errcode: number, errmsg: string): PlatformAnswer => ({
	status: 200,
	body: {errcode, errmsg: errcode === 0 ? errmsg : `${errmsg}, ${hint}`},
});
const invalid = (problem: string) => failed(40_035, `invalid parameter: ${problem}`);

/** Opens a pretended `qyapi.weixin.qq.com` with one app that two members may see. */
export const openWecom: OpenPlatform = async () => {
	const served = await servePlatform({
		aside: (request, note) => (request.path === '/cgi-bin/gettoken' ? giveToken(request, note) : undefined),
		read,
		repeat: 'is-the-same-message',
		accept: (_message, position) => ({
			status: 200,
			body: {errcode: 0, errmsg: 'ok', invaliduser: '', invalidparty: '', invalidtag: '', msgid: `msg-${position}`},
		}),
		trouble: trouble => {
			switch (trouble.kind) {
				// No wait is told; the count is kept by the minute.
				case 'rate-limited':
					return failed(45_009, 'api freq out of limit');
				case 'rejected':
					return failed(81_013, 'user & party & tag all invalid');
				case 'server-error':
					return failed(-1, 'system error');
				case 'hidden-error':
					return failed(60_020, 'not allow to access from your ip');
			}
		},
	});
	return {
		...served,
		settings: {corp_id: corp.corpid, agent_id: agent, secret: corp.corpsecret, base_url: served.baseUrl},
		chatId: users[0]!,
		otherChatId: users[1]!,
	};
};

function giveToken(request: PlatformRequest, note: Note): PlatformAnswer {
	noteOtherQuery(request, ['corpid', 'corpsecret', 'debug'], note);
	insist(request.method === 'GET', `${request.method}: the method is GET`, failed(43_001, 'require GET method'));
	insist(request.query.get('corpid') === corp.corpid, 'the corpid is wrong', failed(40_013, 'invalid corpid'));
	const isRight = request.query.get('corpsecret') === corp.corpsecret;
	insist(isRight, 'the corpsecret is wrong', failed(40_001, 'invalid credential'));
	return {status: 200, body: {errcode: 0, errmsg: 'ok', access_token: token, expires_in: 7200}};
}

function read(request: PlatformRequest, note: Note): ReceivedMessage {
	insist(request.path === '/cgi-bin/message/send', `${request.path}: no such path`, failed(40_066, 'invalid url'));
	requireMethod(request, 'POST', failed(43_002, 'require POST method'));
	noteOtherQuery(request, ['access_token', 'debug'], note);
	const given = request.query.get('access_token');
	insist(given !== null, 'no access_token', failed(41_001, 'access_token missing'));
	insist(given === token, 'the access_token is wrong', failed(40_014, 'invalid access_token'));
	const value = parsedJson(request.body, () => failed(47_001, 'data format error'));
	const sent = checked(value, toUsers, {refuse: invalid, note});
	insist(sent.agentid === agent, `no agent ${sent.agentid}`, failed(40_056, 'invalid agentid'));
	const isKnown = users.includes(sent.touser);
	insist(isKnown, `no user ${sent.touser}`, failed(81_013, 'user & party & tag all invalid'));
	const text = visible(sent, note);
	const repeatKey = createHash('sha256').update(text).digest('hex');
	return {chat: sent.touser, text, ...(sent.enable_duplicate_check === 1 && {repeatKey})};
}

function visible(sent: Pick<z.output<typeof toUsers>, 'msgtype' | 'text' | 'markdown'>, note: Note): string {
	const whole = sent[sent.msgtype]?.content ?? '';
	insist(whole.trim() !== '', 'the content is empty', failed(44_004, 'empty content'));
	if (bytes(whole) <= 2048) {
		return whole;
	}

	note(`${bytes(whole)} bytes: cut off at 2048`);
	return new TextDecoder().decode(Buffer.from(whole).subarray(0, 2048)).replace(/\uFFFD$/, '');
}
