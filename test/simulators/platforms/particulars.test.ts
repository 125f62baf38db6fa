import {createHmac} from 'node:crypto';
import {afterEach, describe, expect, test} from 'vitest';
import {allPlatforms} from './all-platforms.ts';
import {type PlatformOptions, type PlatformSimulator} from './platform-simulator.ts';
import {sendByHand} from './send-by-hand.ts';
import {visibleHtml, visibleMarkdownV2} from './telegram-markup.ts';

const open: PlatformSimulator[] = [];
const openOne = async (name: keyof typeof allPlatforms, options?: PlatformOptions) => {
	const simulator = await allPlatforms[name](options);
	open.push(simulator);
	return simulator;
};

const ask = (simulator: PlatformSimulator, path: string, headers: Record<string, string> = {}) =>
	sendByHand(simulator.baseUrl, {method: 'GET', path, headers, body: ''});
const post = (
	simulator: PlatformSimulator,
	path: string,
	{body = {}, headers = {}}: {body?: object; headers?: Record<string, string>},
) =>
	sendByHand(simulator.baseUrl, {
		method: 'POST',
		path,
		headers: {'content-type': 'application/json', ...headers},
		body: JSON.stringify(body),
	});
const setting = (simulator: PlatformSimulator, name: string) => String(simulator.settings[name]);

afterEach(async () => {
	await Promise.all(open.splice(0).map(simulator => simulator.close()));
});

describe('a token endpoint gives a token that sends, and counts as no message', () => {
	test('feishu', async () => {
		const simulator = await openOne('feishu');
		const path = '/open-apis/auth/v3/tenant_access_token/internal';
		const app = {app_id: simulator.settings.app_id, app_secret: simulator.settings.app_secret};
		const {body} = await post(simulator, path, {body: app});
		expect(body).toMatchObject({code: 0, expire: 7200});
		const headers = {authorization: `Bearer ${Object(body).tenant_access_token}`};
		const message = {receive_id: simulator.chatId, msg_type: 'text', content: '{"text":"hello"}'};
		await post(simulator, '/open-apis/im/v1/messages?receive_id_type=chat_id', {headers, body: message});
		expect(simulator.received).toEqual([{chat: simulator.chatId, text: 'hello'}]);
		expect(simulator.requests()).toBe(1);
		expect(await post(simulator, path, {body: {...app, app_secret: 'x'}})).toMatchObject({
			status: 200,
			body: {code: 10_014},
		});
	});

	test('wecom', async () => {
		const simulator = await openOne('wecom');
		const path = (secret: string) => `/cgi-bin/gettoken?corpid=${setting(simulator, 'corp_id')}&corpsecret=${secret}`;
		const {body} = await ask(simulator, path(setting(simulator, 'secret')));
		expect(body).toMatchObject({errcode: 0, expires_in: 7200});
		const message = {touser: 'LiSi', msgtype: 'markdown', agentid: 1_000_002, markdown: {content: '**hello**'}};
		await post(simulator, `/cgi-bin/message/send?access_token=${Object(body).access_token}`, {body: message});
		expect(simulator.received).toEqual([{chat: 'LiSi', text: '**hello**'}]);
		expect(simulator.requests()).toBe(1);
		expect(await ask(simulator, path('x'))).toMatchObject({status: 200, body: {errcode: 40_001}});
	});

	test('qqbot', async () => {
		const simulator = await openOne('qqbot');
		const app = {appId: simulator.settings.app_id, clientSecret: simulator.settings.client_secret};
		const {body} = await post(simulator, '/app/getAppAccessToken', {body: app});
		expect(body).toMatchObject({expires_in: '7200'});
		const headers = {authorization: `QQBot ${Object(body).access_token}`};
		await post(simulator, `/v2/users/${simulator.chatId}/messages`, {headers, body: {msg_type: 0, content: 'hello'}});
		expect(simulator.received).toEqual([{chat: simulator.chatId, text: 'hello'}]);
		expect(simulator.requests()).toBe(1);
		const refused = await post(simulator, '/app/getAppAccessToken', {body: {...app, clientSecret: 'x'}});
		expect(refused).toMatchObject({status: 200, body: {code: 100_016}});
	});
});

describe('a question that sends nothing is answered', () => {
	test.each([
		['telegram', ({settings}: PlatformSimulator) => [`/bot${String(settings.token)}/getMe`, '']],
		['discord', ({settings}: PlatformSimulator) => ['/api/v10/users/@me', `Bot ${String(settings.token)}`]],
		['slack', ({settings}: PlatformSimulator) => ['/api/auth.test', `Bearer ${String(settings.token)}`]],
		['signal', () => ['/api/v1/check', '']],
		['whatsapp', ({settings}: PlatformSimulator) => ['/v23.0/106540352242922', `Bearer ${String(settings.token)}`]],
		[
			'matrix',
			({settings}: PlatformSimulator) => ['/_matrix/client/v3/account/whoami', `Bearer ${String(settings.token)}`],
		],
		['mattermost', ({settings}: PlatformSimulator) => ['/api/v4/users/me', `Bearer ${String(settings.token)}`]],
		['homeassistant', ({settings}: PlatformSimulator) => ['/api/', `Bearer ${String(settings.token)}`]],
		['github_comment', ({settings}: PlatformSimulator) => ['/user', `Bearer ${String(settings.token)}`]],
		[
			'bluebubbles',
			({settings}: PlatformSimulator) => [`/api/v1/ping?password=${encodeURIComponent(String(settings.password))}`, ''],
		],
	] as const)('%s', async (name, question) => {
		const simulator = await openOne(name);
		const [path = '', authorization = ''] = question(simulator);
		const headers = {authorization, 'user-agent': 'DiscordBot (https://example.org, 1.0)'};
		expect(await ask(simulator, path, headers)).toMatchObject({status: 200});
		expect(simulator.faults).toEqual([]);
		expect(simulator.requests()).toBe(0);
	});
});

describe('faults the platform itself would swallow', () => {
	test('an undocumented key is noted, and the message taken', async () => {
		const simulator = await openOne('telegram');
		const body = {chat_id: simulator.chatId, text: 'hello', disable_web_page_preview: true};
		await post(simulator, `/bot${setting(simulator, 'token')}/sendMessage`, {body});
		expect(simulator.faults).toEqual(['the key disable_web_page_preview is not documented']);
		expect(simulator.received).toHaveLength(1);
	});

	test('a text WeCom cuts off is noted, and cut at a whole character', async () => {
		const simulator = await openOne('wecom');
		const body = {touser: 'LiSi', msgtype: 'text', agentid: 1_000_002, text: {content: `x${'😀'.repeat(512)}`}};
		await post(simulator, '/cgi-bin/message/send?access_token=accesstoken000001', {body});
		expect(simulator.faults).toEqual(['2049 bytes: cut off at 2048']);
		expect(simulator.received).toEqual([{chat: 'LiSi', text: `x${'😀'.repeat(511)}`}]);
	});

	test('Slack shows text that was not escaped as something else', async () => {
		const simulator = await openOne('slack');
		const headers = {authorization: `Bearer ${setting(simulator, 'token')}`};
		const say = (text: string) =>
			post(simulator, '/api/chat.postMessage', {headers, body: {channel: simulator.chatId, text}});
		await say('a &lt;b&gt; &amp;amp;');
		await say('a <!channel> <https://example.org|link>');
		expect(simulator.received.map(message => message.text)).toEqual(['a <b> &amp;', 'a @channel link']);
	});
});

describe('refusals beyond the table', () => {
	test('signal-cli refuses a content type with a charset', async () => {
		const simulator = await openOne('signal');
		const answer = await post(simulator, '/api/v1/rpc', {headers: {'content-type': 'application/json; charset=utf-8'}});
		expect(answer.status).toBe(415);
	});

	test('Discord blocks a client that does not name itself', async () => {
		const simulator = await openOne('discord');
		const headers = {authorization: `Bot ${setting(simulator, 'token')}`, 'user-agent': 'node'};
		const path = `/api/v10/channels/${simulator.chatId}/messages`;
		expect(await post(simulator, path, {headers, body: {content: 'hello'}})).toMatchObject({
			status: 403,
			body: {code: 40_333},
		});
	});

	test('Matrix counts the bytes of the whole event', async () => {
		const simulator = await openOne('matrix');
		const send = (text: string) =>
			sendByHand(simulator.baseUrl, {
				method: 'PUT',
				path: `/_matrix/client/v3/rooms/${simulator.chatId}/send/m.room.message/${text.length}`,
				headers: {authorization: `Bearer ${setting(simulator, 'token')}`},
				body: JSON.stringify({msgtype: 'm.text', body: text}),
			});
		expect((await send('ü'.repeat(32_000))).status).toBe(200);
		expect(await send('ü'.repeat(32_600))).toMatchObject({status: 413, body: {errcode: 'M_TOO_LARGE'}});
	});

	test('BlueBubbles refuses a key it is still sending, and knows it no more once it is sent', async () => {
		const simulator = await openOne('bluebubbles');
		const path = `/api/v1/message/text?password=${encodeURIComponent(setting(simulator, 'password'))}`;
		const send = (tempGuid: string) =>
			post(simulator, path, {body: {chatGuid: simulator.chatId, tempGuid, message: 'hello'}});
		simulator.plan({kind: 'hang-up-after-taking'});
		await expect(send('one')).rejects.toThrow();
		expect(await send('one')).toMatchObject({status: 400, body: {error: {type: 'Validation Error'}}});
		expect(simulator.received).toHaveLength(1);
		await send('two');
		await send('two');
		expect(simulator.received).toHaveLength(3);
	});

	test.each([
		['an hour and a second ago', -3_601_000],
		['an hour and a second ahead', 3_601_000],
	])('DingTalk and Feishu refuse a signature of %s', async (_when, offset) => {
		const now = 1_700_000_000_000;
		const clock = {now: () => now};
		const dingtalk = await openOne('dingtalk', {clock});
		const feishu = await openOne('feishu-webhook', {clock});
		const then = now + offset;
		const dingSign = createHmac('sha256', setting(dingtalk, 'secret')).update(
			`${then}\n${setting(dingtalk, 'secret')}`,
		);
		const {pathname, search} = new URL(setting(dingtalk, 'webhook_url'));
		const dingPath = `${pathname}${search}&timestamp=${then}&sign=${encodeURIComponent(dingSign.digest('base64'))}`;
		const dingBody = {msgtype: 'text', text: {content: 'hello'}};
		expect(await post(dingtalk, dingPath, {body: dingBody})).toMatchObject({status: 200, body: {errcode: 310_000}});
		const timestamp = String(then / 1000);
		const sign = createHmac('sha256', `${timestamp}\n${setting(feishu, 'secret')}`).digest('base64');
		const body = {timestamp, sign, msg_type: 'text', content: {text: 'hello'}};
		const hook = new URL(setting(feishu, 'webhook_url')).pathname;
		expect(await post(feishu, hook, {body})).toMatchObject({status: 200, body: {code: 19_021}});
	});

	test('DingTalk refuses a token that no robot has', async () => {
		const simulator = await openOne('dingtalk');
		expect(await post(simulator, '/robot/send?access_token=x', {})).toMatchObject({body: {errcode: 300_005}});
	});

	test('BlueBubbles answers a message it knows, and none it does not', async () => {
		const simulator = await openOne('bluebubbles');
		const path = `/api/v1/message/text?password=${encodeURIComponent(setting(simulator, 'password'))}`;
		const known = 'B7C3D5E1-0F6A-4B56-9B1E-9E1B1F0A7C11';
		const answerTo = (selectedMessageGuid: string) =>
			post(simulator, path, {body: {chatGuid: simulator.chatId, message: 'hello', selectedMessageGuid}});
		expect((await answerTo('nothing')).status).toBe(500);
		expect((await answerTo(known)).status).toBe(200);
		expect(simulator.received).toEqual([{chat: simulator.chatId, text: 'hello', thread: known}]);
	});

	test('weixin refuses a message without the context token of its peer', async () => {
		const simulator = await openOne('weixin');
		const headers = {
			authorization: `Bearer ${setting(simulator, 'token')}`,
			authorizationtype: 'ilink_bot_token',
			'x-wechat-uin': btoa('42'),
		};
		const msg = {to_user_id: simulator.chatId, item_list: [{type: 1, text_item: {text: 'hello'}}]};
		const body = {msg, base_info: {channel_version: '1.0.0'}};
		expect(await post(simulator, '/ilink/bot/sendmessage', {headers, body})).toMatchObject({body: {ret: -2}});
	});
});

test('what `gh pr comment` sends to GraphQL becomes a comment', async () => {
	const simulator = await openOne('github_comment');
	const headers = {authorization: `token ${setting(simulator, 'token')}`, 'user-agent': 'GitHub CLI'};
	const lookUp = 'query PullRequestByNumber($owner: String!) {repository {pullRequest(number: $pr_number) {id,url}}}';
	const variables = {owner: 'octocat', repo: 'hello-world', pr_number: 7};
	const found = await post(simulator, '/graphql', {headers, body: {query: lookUp, variables}});
	const subjectId: unknown = Object(found.body).data.repository.pullRequest.id;
	const query =
		'mutation CommentCreate($input: AddCommentInput!) {addComment(input: $input) {commentEdge {node {url}}}}';
	const comment = {query, variables: {input: {body: 'hello', subjectId}}};
	expect(await post(simulator, '/graphql', {headers, body: comment})).toMatchObject({
		status: 200,
		body: {data: {addComment: {commentEdge: {node: {url: expect.stringContaining('/7#')}}}}},
	});
	expect(simulator.received).toEqual([{chat: simulator.chatId, text: 'hello'}]);
	expect(simulator.requests()).toBe(1);
	simulator.plan({kind: 'hidden-error'});
	const refused = await post(simulator, '/graphql', {headers, body: comment});
	expect(refused).toMatchObject({status: 200, body: {data: null, errors: [{type: 'UNPROCESSABLE'}]}});
});

describe('Telegram takes its markup out', () => {
	test.each([
		['*bold* _it_ __under__ ~no~ ||spoiler||', 'bold it under no spoiler'],
		['a\\.b \\[x\\] \\\\', 'a.b [x] \\'],
		['`a.b!` and ```ts\nconst x = 1;\n```', 'a.b! and const x = 1;\n'],
		['```\na ` \\` \\\\ b```', 'a ` ` \\ b'],
		['[a *b*](https://example.org/x_y)', 'a b'],
		['>quoted\n>still', 'quoted\nstill'],
	])('MarkdownV2: %s', (text, visible) => {
		expect(visibleMarkdownV2(text)).toBe(visible);
	});

	test.each(['```\nopen`', 'a.b', 'a-b', '1 + 1', 'a (b)', '*open', '`open', 'wow!', '# head'])(
		'MarkdownV2 refuses: %s',
		text => {
			expect(() => visibleMarkdownV2(text)).toThrow(/reserved|Can't find end/);
		},
	);

	test.each([
		['<b>bold</b> &lt;b&gt; &amp;amp; &quot; &#65;&#x42; &nbsp;', 'bold <b> &amp; " AB &nbsp;'],
		['<pre><code class="language-ts">a &lt; b</code></pre>', 'a < b'],
		['<a href="https://example.org">link</a>', 'link'],
	])('HTML: %s', (text, visible) => {
		expect(visibleHtml(text)).toBe(visible);
	});

	test.each(['a < b', '<h1>head</h1>', '<b>open', '<b><i>x</b></i>', '</b>'])('HTML refuses: %s', text => {
		expect(() => visibleHtml(text)).toThrow(/tag/);
	});
});
