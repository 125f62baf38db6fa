import {Webhook} from 'standardwebhooks';
import {bearer, type PlatformRow, post, withBody, withHeaders, withPath, wrongBearer} from './platform-row.ts';
import {endpointSecret} from './url.ts';

/** A card of Teams that shows a text. */
const card = (text: string) => ({
	contentType: 'application/vnd.microsoft.card.adaptive',
	content: {type: 'AdaptiveCard', version: '1.4', body: [{type: 'TextBlock', text, wrap: true}]},
});
/** The bytes of a Teams message besides its text. */
const cardBytes = JSON.stringify({type: 'message', attachments: [card('')]}).length;

/** A request of Standard Webhooks, signed by its own library. */
function signedPost(path: string, body: object, secret = endpointSecret) {
	const now = new Date();
	const seconds = Math.floor(now.getTime() / 1000);
	const headers = {
		'webhook-id': 'msg_1',
		'webhook-timestamp': String(seconds),
		'webhook-signature': new Webhook(secret).sign('msg_1', now, JSON.stringify(body)),
		'x-tenant': 'tenant-4711-secret',
	};
	return post(path, headers, body);
}

/** Right and wrong requests to the platforms that are webhooks, or nearly, by their documentation. */
export const webhookPlatformRows: readonly PlatformRow[] = [
	{
		name: 'teams',
		write: ({settings}, {text}) => {
			const {pathname, search} = new URL(settings.webhook_url);
			return post(`${pathname}${search}`, {}, {type: 'message', attachments: [card(text)]});
		},
		spoil: {token: withPath('sig=', 'sig=a'), body: withBody({attachments: []})},
		answers: {
			token: {status: 401, body: {error: {code: 'DirectApiAuthorizationRequired'}}},
			method: {status: 404},
			body: {status: 400, body: {error: {code: 'TriggerInputSchemaMismatch'}}},
			'rate-limited': {status: 429, headers: {'retry-after': '7'}},
			rejected: {status: 404, body: {error: {code: 'WorkflowNotFound'}}},
			'server-error': {status: 500},
			'hidden-error': {status: 400, body: {error: {code: 'WorkflowTriggerIsNotEnabled'}}},
		},
		longest: 'x'.repeat(28 * 1024 - cardBytes),
	},
	{
		name: 'google_chat',
		write: ({settings}, {text}) => {
			const {pathname, search} = new URL(settings.webhook_url);
			return post(`${pathname}${search}`, {}, {text});
		},
		spoil: {token: withPath('token=', 'token=a'), body: withBody({txt: 'hello'})},
		answers: {
			token: {status: 401, body: {error: {status: 'UNAUTHENTICATED'}}},
			method: {status: 404},
			body: {status: 400, body: {error: {status: 'INVALID_ARGUMENT'}}},
			'rate-limited': {status: 429, body: {error: {status: 'RESOURCE_EXHAUSTED'}}},
			rejected: {status: 404, body: {error: {status: 'NOT_FOUND'}}},
			'server-error': {status: 500},
			'hidden-error': {status: 403, body: {error: {status: 'PERMISSION_DENIED'}}},
		},
		longest: 'x'.repeat(32_000),
	},
	{
		name: 'ntfy',
		write: ({settings}, {chat, text}) => post('/', bearer(settings.token), {topic: chat, message: text}),
		spoil: {token: wrongBearer, body: withBody({priority: 9})},
		answers: {
			token: {status: 401, body: {code: 40_101}},
			method: {status: 404, body: {code: 40_401}},
			body: {status: 400, body: {code: 40_017}},
			'rate-limited': {status: 429, body: {code: 42_901}},
			rejected: {status: 403, body: {code: 40_301}},
			'server-error': {status: 500, body: {code: 50_001}},
			'hidden-error': {status: 507, body: {code: 50_701}},
		},
		longest: 'x'.repeat(4096),
	},
	{
		name: 'pagerduty',
		write: ({settings}, {text, key}) =>
			post(
				'/v2/enqueue',
				{},
				{
					routing_key: settings.routing_key,
					event_action: 'trigger',
					...(key !== undefined && {dedup_key: key}),
					payload: {summary: text, source: 'builds', severity: 'error'},
				},
			),
		spoil: {token: withBody({routing_key: 'wrong'}), body: withBody({event_action: 'shout'})},
		answers: {
			token: {status: 400, body: {status: 'invalid event'}},
			method: {status: 405},
			body: {status: 400, body: {status: 'invalid event'}},
			'rate-limited': {status: 429, body: {status: 'throttle exceeded'}},
			rejected: {status: 400, body: {status: 'invalid event'}},
			'server-error': {status: 500},
			'hidden-error': {status: 400, body: {status: 'invalid event'}},
		},
		longest: 'x'.repeat(1024),
		repeat: 'same',
	},
	{
		name: 'url',
		write: (_simulator, {chat, text}) =>
			signedPost(`/hooks/${chat}`, {
				type: 'message',
				timestamp: new Date().toISOString(),
				data: {text, route: 'builds'},
			}),
		spoil: {
			token: withHeaders({'webhook-signature': 'v1,wrong'}),
			body: right => signedPost(right.path, {type: 'message'}),
		},
		answers: {
			token: {status: 401, body: {error: 'the signature is wrong'}},
			method: {status: 405},
			body: {status: 400},
			'rate-limited': {status: 429, headers: {'retry-after': '7'}},
			rejected: {status: 410},
			'server-error': {status: 500},
			'hidden-error': {status: 422},
		},
	},
];
