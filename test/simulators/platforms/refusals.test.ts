import {afterEach, expect, test} from 'vitest';
import {allPlatforms} from './all-platforms.ts';
import {chinesePlatformRows} from './chinese-platform-rows.ts';
import {type KnownSimulator, type PlatformRow, withBody, withHeaders, withPath} from './platform-row.ts';
import {platformRows} from './platform-rows.ts';
import {type PlatformSimulator} from './platform-simulator.ts';
import {sendByHand, type WrittenRequest} from './send-by-hand.ts';

type Change = (right: WrittenRequest) => WrittenRequest;
type Answer = {readonly status: number; readonly body?: unknown};
type Wrong = readonly [name: PlatformRow['name'], what: string, change: Change, answer: Answer];

const without =
	(header: string): Change =>
	right => {
		const {[header]: _gone, ...headers} = right.headers;
		return {...right, headers};
	};
/** Another request of the same platform, with the credentials of the right one. */
const instead =
	(method: string, path: string, body: object = {}): Change =>
	right => ({...right, method, path, body: method === 'GET' ? '' : JSON.stringify(body)});
const graphql = (query: string, variables: object) => instead('POST', '/graphql', {query, variables});
const params =
	(change: object): Change =>
	right => ({
		...right,
		body: JSON.stringify({
			...JSON.parse(right.body),
			params: {account: '+15550009999', message: 'hello', ...change},
		}),
	});
const form =
	(change: (form: URLSearchParams) => void): Change =>
	right => {
		const fields = new URLSearchParams(right.body);
		change(fields);
		return {...right, body: fields.toString()};
	};

const feishuToken = '/open-apis/auth/v3/tenant_access_token/internal';
const wrong: readonly Wrong[] = [
	['telegram', 'a token that is none', withPath(/bot[^/]+/, 'bot'), {status: 404, body: {ok: false, error_code: 404}}],
	['discord', 'another path of a channel', withPath('/messages', '/typing'), {status: 404, body: {code: 0}}],
	['slack', 'a path outside its API', withPath('/api/', '/'), {status: 404}],
	['slack', 'no token', without('authorization'), {status: 200, body: {ok: false, error: 'not_authed'}}],
	[
		'slack',
		'text in two dialects',
		withBody({markdown_text: '**hello**'}),
		{status: 200, body: {ok: false, error: 'markdown_text_conflict'}},
	],
	[
		'slack',
		'a long markdown_text',
		withBody({text: undefined, markdown_text: 'x'.repeat(12_001)}),
		{status: 200, body: {ok: false, error: 'msg_too_long'}},
	],
	['signal', 'no recipient', params({}), {status: 200, body: {error: {code: -1}}}],
	[
		'signal',
		'two recipients',
		params({recipient: ['+15550100001', '+15550100001']}),
		{status: 200, body: {error: {code: -1}}},
	],
	['signal', 'an unknown group', params({groupId: 'AAAA'}), {status: 200, body: {error: {code: -1}}}],
	['signal', 'no JSON', right => ({...right, body: '{'}), {status: 200, body: {id: null, error: {code: -32_700}}}],
	['sms', 'no sender', form(fields => fields.delete('From')), {status: 400, body: {code: 21_603}}],
	[
		'sms',
		"somebody else's sender",
		form(fields => fields.set('From', '+15550001112')),
		{status: 400, body: {code: 21_606}},
	],
	['matrix', 'no token', without('authorization'), {status: 401, body: {errcode: 'M_MISSING_TOKEN'}}],
	[
		'matrix',
		'a format without text of it',
		withBody({format: 'org.matrix.custom.html'}),
		{status: 400, body: {errcode: 'M_BAD_JSON'}},
	],
	['homeassistant', 'an unknown target', withBody({target: ['notify.nobody']}), {status: 400}],
	[
		'homeassistant',
		'two targets',
		withBody({target: ['notify.mobile_app_phone', 'notify.mobile_app_tablet']}),
		{status: 400},
	],
	['dingtalk', 'a markdown text without a title', markdownOnly(), {status: 200, body: {errcode: 400_105}}],
	['feishu', 'no token', without('authorization'), {status: 400, body: {code: 99_991_661}}],
	['feishu', 'another kind of id', withPath('chat_id', 'open_id'), {status: 400, body: {code: 99_992_402}}],
	['feishu', 'an id that is no chat', withBody({receive_id: 'ou_1'}), {status: 400, body: {code: 230_001}}],
	['feishu', 'a GET for a token', instead('GET', feishuToken), {status: 404}],
	[
		'feishu',
		'an unknown app',
		instead('POST', feishuToken, {app_id: 'cli_x', app_secret: 'dskLLdkasdjlasdKK'}),
		{status: 200, body: {code: 10_003}},
	],
	['feishu-webhook', "nobody's hook", withPath(/[0-9a-f-]+$/, 'x'), {status: 200, body: {code: 19_001}}],
	['feishu-webhook', 'another path', withPath('/v2/', '/v1/'), {status: 404}],
	['wecom', 'no token', withPath(/\?.*/, ''), {status: 200, body: {errcode: 41_001}}],
	['wecom', 'an unknown agent', withBody({agentid: 1}), {status: 200, body: {errcode: 40_056}}],
	[
		'wecom',
		'a POST for a token',
		instead('POST', '/cgi-bin/gettoken?corpid=wwabcdef0123456789'),
		{status: 200, body: {errcode: 43_001}},
	],
	['wecom', 'an unknown company', instead('GET', '/cgi-bin/gettoken?corpid=x'), {status: 200, body: {errcode: 40_013}}],
	['weixin', 'another kind of token', withHeaders({authorizationtype: 'bearer'}), {status: 200, body: {ret: -14}}],
	['qqbot', 'a GET for a token', instead('GET', '/app/getAppAccessToken'), {status: 405}],
	['qqbot', 'an answer to nothing', withBody({msg_id: 'nothing'}), {status: 400, body: {code: 40_034_024}}],
	['github_comment', 'no User-Agent', without('user-agent'), {status: 403}],
	[
		'github_comment',
		'an unknown pull request',
		graphql('{pullRequest(number: 1) {id}}', {owner: 'octocat', repo: 'hello-world', pr_number: 1}),
		{status: 200, body: {data: null, errors: [{type: 'NOT_FOUND'}]}},
	],
	[
		'github_comment',
		'an unknown node',
		graphql('mutation {addComment}', {input: {body: 'hello', subjectId: 'x'}}),
		{status: 200, body: {data: null, errors: [{type: 'NOT_FOUND'}]}},
	],
	[
		'github_comment',
		'another mutation',
		graphql('mutation {addStar}', {input: {body: 'hello', subjectId: 'octocat/hello-world#7'}}),
		{status: 200, body: {data: null, errors: [{type: 'INVALID'}]}},
	],
];

function markdownOnly(): Change {
	return withBody({msgtype: 'markdown', text: undefined, markdown: {title: ' ', text: 'hello'}});
}

const open: PlatformSimulator[] = [];
afterEach(async () => {
	await Promise.all(open.splice(0).map(simulator => simulator.close()));
});

test.each(wrong)('%s refuses %s', async (name, ...[, change, answer]) => {
	const simulator = await allPlatforms[name]();
	open.push(simulator);
	const row = [...platformRows, ...chinesePlatformRows].find(candidate => candidate.name === name)!;
	// The row of a platform writes to the simulator of that name alone.
	const right = row.write(simulator as unknown as KnownSimulator, {chat: simulator.chatId, text: 'hello'});
	expect(await sendByHand(simulator.baseUrl, change(right))).toMatchObject(answer);
	expect(simulator.received).toEqual([]);
	expect(simulator.faults).toHaveLength(1);
});
