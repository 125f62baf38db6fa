import {bearer, emoji, type PlatformRow, post, withBody, withHeaders, withPath, wrongBearer} from './platform-row.ts';

/** Right and wrong requests, by each platform's documentation; those of China are in `chinese-platform-rows.ts`. */
export const platformRows: readonly PlatformRow[] = [
	{
		name: 'telegram',
		write: ({settings}, {chat, text, thread}) =>
			post(
				`/bot${settings.token}/sendMessage`,
				{},
				{chat_id: chat, text, ...(thread && {message_thread_id: Number(thread)})},
			),
		spoil: {token: withPath('/bot110201543', '/bot110201544'), body: withBody({chat_id: undefined})},
		answers: {
			token: {status: 401, body: {ok: false, error_code: 401, description: 'Unauthorized'}},
			method: {status: 400, body: {ok: false}},
			body: {status: 400, body: {ok: false, error_code: 400}},
			'rate-limited': {status: 429, body: {ok: false, error_code: 429, parameters: {retry_after: 7}}},
			rejected: {status: 400, body: {ok: false, description: 'Bad Request: chat not found'}},
			'server-error': {status: 502, body: {ok: false}},
			'hidden-error': {status: 400, body: {ok: false}},
		},
		longest: emoji(2048),
	},
	{
		name: 'discord',
		write: ({settings}, {chat, text, key, thread}) =>
			post(
				`/api/v10/channels/${thread ?? chat}/messages`,
				{authorization: `Bot ${settings.token}`, 'user-agent': 'DiscordBot (https://example.org, 1.0)'},
				{content: text, allowed_mentions: {parse: []}, ...(key && {nonce: key, enforce_nonce: true})},
			),
		spoil: {token: withHeaders({authorization: 'Bot wrong'}), body: withBody({content: 7})},
		answers: {
			token: {status: 401, body: {message: '401: Unauthorized', code: 0}},
			method: {status: 405, body: {code: 0}},
			body: {status: 400, body: {code: 50_035, message: 'Invalid Form Body'}},
			'rate-limited': {status: 429, body: {retry_after: 7, global: false}, headers: {'retry-after': '7'}},
			rejected: {status: 404, body: {code: 10_003}},
			'server-error': {status: 500},
			'hidden-error': {status: 400, body: {code: 50_035}},
		},
		longest: emoji(2000),
		repeat: 'same',
	},
	{
		name: 'slack',
		write: ({settings}, {chat, text, thread}) =>
			post('/api/chat.postMessage', bearer(settings.token), {channel: chat, text, ...(thread && {thread_ts: thread})}),
		spoil: {token: wrongBearer, body: withBody({text: undefined})},
		answers: {
			token: {status: 200, body: {ok: false, error: 'invalid_auth'}},
			method: {status: 200, body: {ok: false, error: 'invalid_arguments'}},
			body: {status: 200, body: {ok: false, error: 'no_text'}},
			'rate-limited': {status: 429, body: {ok: false, error: 'ratelimited'}, headers: {'retry-after': '7'}},
			rejected: {status: 200, body: {ok: false, error: 'channel_not_found'}},
			'server-error': {status: 500, body: {ok: false}},
			'hidden-error': {status: 200, body: {ok: false, error: 'is_archived'}},
		},
		longest: emoji(40_000),
	},
	{
		name: 'signal',
		write: ({settings}, {chat, text}) => {
			const to = chat.startsWith('group:') ? {groupId: chat.slice(6)} : {recipient: [chat]};
			const params = {account: settings.account, ...to, message: text};
			return post('/api/v1/rpc', {}, {jsonrpc: '2.0', id: 'one', method: 'send', params});
		},
		spoil: {
			token: right => ({...right, body: right.body.replace('+15550009999', '+15550009998')}),
			body: withBody({method: 'sendd'}),
		},
		answers: {
			token: {status: 200, body: {id: 'one', error: {code: -32_602, message: 'Specified account does not exist'}}},
			method: {status: 405},
			body: {status: 200, body: {jsonrpc: '2.0', id: 'one', error: {code: -32_601}}},
			'rate-limited': {
				status: 200,
				body: {id: 'one', error: {code: -5, data: {response: {results: [{retryAfterSeconds: 7}]}}}},
			},
			rejected: {status: 200, body: {error: {code: -1}}},
			'server-error': {status: 500},
			'hidden-error': {status: 200, body: {error: {code: -3}}},
		},
	},
	{
		name: 'sms',
		write: ({settings}, {chat, text}) => ({
			method: 'POST',
			path: `/2010-04-01/Accounts/${settings.account_sid}/Messages.json`,
			headers: {
				authorization: `Basic ${btoa(`${settings.account_sid}:${settings.auth_token}`)}`,
				'content-type': 'application/x-www-form-urlencoded',
			},
			body: new URLSearchParams({To: chat, From: settings.from, Body: text}).toString(),
		}),
		spoil: {
			token: withHeaders({authorization: `Basic ${btoa('AC1:wrong')}`}),
			body: right => ({...right, body: right.body.replace('To=', 'to=')}),
		},
		answers: {
			token: {status: 401, body: {code: 20_003, status: 401}},
			method: {status: 405, body: {code: 20_004}},
			body: {status: 400, body: {code: 21_604, status: 400}},
			'rate-limited': {status: 429, body: {code: 20_429}, headers: {'retry-after': '7'}},
			rejected: {status: 400, body: {code: 21_211}},
			'server-error': {status: 500},
			'hidden-error': {status: 400, body: {code: 21_610}},
		},
		longest: emoji(800),
	},
	{
		name: 'whatsapp',
		write: ({settings}, {chat, text}) => {
			const body = {
				messaging_product: 'whatsapp',
				recipient_type: 'individual',
				to: chat,
				type: 'text',
				text: {body: text},
			};
			return post(`/v23.0/${settings.phone_number_id}/messages`, bearer(settings.token), body);
		},
		spoil: {token: wrongBearer, body: withBody({preview_url: true})},
		answers: {
			token: {status: 401, body: {error: {type: 'OAuthException', code: 190}}},
			method: {status: 400, body: {error: {code: 100}}},
			body: {status: 400, body: {error: {code: 100, error_data: {messaging_product: 'whatsapp'}}}},
			'rate-limited': {status: 429, body: {error: {code: 130_429}}},
			rejected: {status: 400, body: {error: {code: 131_026}}},
			'server-error': {status: 500},
			'hidden-error': {status: 400, body: {error: {code: 131_047}}},
		},
		longest: emoji(4096),
	},
	{
		name: 'matrix',
		write: ({settings}, {chat, text, key = 'one', thread}) => ({
			...post(
				`/_matrix/client/v3/rooms/${encodeURIComponent(chat)}/send/m.room.message/${key}`,
				bearer(settings.token),
				{msgtype: 'm.text', body: text, ...(thread && {'m.relates_to': {rel_type: 'm.thread', event_id: thread}})},
			),
			method: 'PUT',
		}),
		spoil: {token: wrongBearer, body: withBody({body: undefined})},
		answers: {
			token: {status: 401, body: {errcode: 'M_UNKNOWN_TOKEN'}},
			method: {status: 405, body: {errcode: 'M_UNRECOGNIZED'}},
			body: {status: 400, body: {errcode: 'M_BAD_JSON'}},
			'rate-limited': {
				status: 429,
				body: {errcode: 'M_LIMIT_EXCEEDED', retry_after_ms: 7000},
				headers: {'retry-after': '7'},
			},
			rejected: {status: 403, body: {errcode: 'M_FORBIDDEN'}},
			'server-error': {status: 500},
			'hidden-error': {status: 400},
		},
		repeat: 'same',
	},
	{
		name: 'mattermost',
		write: ({settings}, {chat, text, key, thread}) =>
			post('/api/v4/posts', bearer(settings.token), {
				channel_id: chat,
				message: text,
				...(key && {pending_post_id: key}),
				...(thread && {root_id: thread}),
			}),
		spoil: {token: wrongBearer, body: withBody({channel_id: 'town-square'})},
		answers: {
			token: {status: 401, body: {id: 'api.context.session_expired.app_error', status_code: 401}},
			method: {status: 404, body: {status_code: 404}},
			body: {status: 400, body: {id: 'api.context.invalid_body_param.app_error'}},
			'rate-limited': {status: 429, body: 'limit exceeded', headers: {'retry-after': '7', 'x-ratelimit-reset': '7'}},
			rejected: {status: 403, body: {id: 'api.context.permissions.app_error'}},
			'server-error': {status: 500},
			'hidden-error': {status: 400},
		},
		longest: emoji(16_383),
		repeat: 'same',
	},
	{
		name: 'homeassistant',
		write: ({settings}, {chat, text, key}) =>
			post(`/api/services/${chat.replace('.', '/')}`, bearer(settings.token), {
				message: text,
				...(key && {data: {tag: key}}),
			}),
		spoil: {token: wrongBearer, body: withBody({text: 'an extra key'})},
		answers: {
			token: {status: 401, body: '401: Unauthorized'},
			method: {status: 405, body: '405: Method Not Allowed'},
			body: {status: 400, body: '400: Bad Request'},
			'rate-limited': {status: 429, headers: {'retry-after': '7'}},
			rejected: {status: 400},
			'server-error': {status: 500},
			'hidden-error': {status: 400},
		},
		repeat: 'replaced',
	},
	{
		name: 'bluebubbles',
		write: ({settings}, {chat, text, key = 'one'}) =>
			post(
				`/api/v1/message/text?password=${encodeURIComponent(settings.password)}`,
				{},
				{
					chatGuid: chat,
					tempGuid: key,
					message: text,
					method: 'apple-script',
				},
			),
		spoil: {token: withPath(/password=.*/, 'password=wrong'), body: withBody({tempGuid: undefined})},
		answers: {
			token: {status: 401, body: {status: 401, error: {type: 'Authentication Error', message: 'Unauthorized'}}},
			method: {status: 404, body: {status: 404}},
			body: {status: 400, body: {status: 400, error: {type: 'Validation Error'}}},
			'rate-limited': {status: 429, headers: {'retry-after': '7'}},
			rejected: {status: 500, body: {error: {type: 'iMessage Error', message: 'Chat does not exist!'}}},
			'server-error': {status: 500, body: {message: 'Message Send Error'}},
			'hidden-error': {status: 400, body: {status: 400}},
		},
	},
	{
		name: 'github_comment',
		write: ({settings}, {chat, text}) =>
			post(
				`/repos/${chat.replace('#', '/issues/')}/comments`,
				{authorization: `token ${settings.token}`, 'user-agent': 'GitHub CLI 2.23.0'},
				{body: text},
			),
		spoil: {token: withHeaders({authorization: 'token wrong'}), body: withBody({body: ''})},
		answers: {
			token: {status: 401, body: {message: 'Bad credentials'}},
			method: {status: 404, body: {message: 'Not Found'}},
			body: {status: 422, body: {message: 'Validation Failed'}},
			'rate-limited': {status: 403, headers: {'retry-after': '7', 'x-ratelimit-remaining': '0'}},
			rejected: {status: 404, body: {message: 'Not Found'}},
			'server-error': {status: 502},
			'hidden-error': {status: 422, body: {message: 'Validation Failed'}},
		},
		longest: emoji(65_536),
	},
];
