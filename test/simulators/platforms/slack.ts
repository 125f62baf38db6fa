/*
Made from https://docs.slack.dev/reference/methods/chat.postMessage (arguments, errors, 40,000 characters),
https://docs.slack.dev/apis/web-api (Bearer, JSON or form, `ok: false` inside a 200),
https://docs.slack.dev/apis/web-api/rate-limits (429, Retry-After) and
https://docs.slack.dev/messaging/formatting-message-text (`&`, `<` and `>` escaped, links as `<url|label>`).
*/
import {z} from 'zod';
import {type OpenPlatform} from './platform-simulator.ts';
import {type Note, type PlatformAnswer, type PlatformRequest, servePlatform} from './platform-server.ts';
import {
	anything,
	checked,
	codePoints,
	formBody,
	insist,
	jsonBody,
	noteOtherQuery,
	requireMethod,
} from './request-checks.ts';

const token = 'xoxb-17653672481-19874698323-pdFZKVeTuE8sk7oOcBrzbqgy';
const chats = ['C0123456789', 'C0987654321'];
const parent = '1503435956.000247';

const body = z.strictObject({
	channel: z.string(),
	text: z.string().optional(),
	markdown_text: z.string().optional(),
	blocks: anything,
	attachments: anything,
	as_user: anything,
	icon_emoji: anything,
	icon_url: anything,
	link_names: anything,
	metadata: anything,
	mrkdwn: z.boolean().optional(),
	parse: z.enum(['none', 'full']).optional(),
	reply_broadcast: z.boolean().optional(),
	thread_ts: z.string().optional(),
	unfurl_links: z.boolean().optional(),
	unfurl_media: z.boolean().optional(),
	username: anything,
});

const failed = (error: string, more: object = {}): PlatformAnswer => ({status: 200, body: {ok: false, error, ...more}});
const invalidArguments = (problem: string) =>
	failed('invalid_arguments', {response_metadata: {messages: [`[ERROR] ${problem}`]}});

/** Opens a pretended Slack workspace with two channels and a thread in the first. */
export const openSlack: OpenPlatform = async () => {
	const served = await servePlatform({
		guard: request => {
			insist(request.path.startsWith('/api/'), `${request.path}: no such path`, {status: 404, body: 'Not Found'});
			const {authorization} = request.headers;
			insist(authorization !== undefined, 'no token', failed('not_authed'));
			insist(authorization === `Bearer ${token}`, 'the token is wrong', failed('invalid_auth'));
		},
		aside: request => {
			return request.path === '/api/auth.test'
				? {
						status: 200,
						body: {
							ok: true,
							url: 'https://sluice.slack.com/',
							team: 'Sluice',
							user: 'sluice',
							team_id: 'T1',
							user_id: 'U1',
						},
					}
				: undefined;
		},
		read,
		accept: (message, position) => ({
			status: 200,
			body: {
				ok: true,
				channel: message.chat,
				ts: `1503435957.${String(position).padStart(6, '0')}`,
				message: {text: message.text},
			},
		}),
		trouble: trouble => {
			switch (trouble.kind) {
				case 'rate-limited':
					return {
						status: 429,
						headers: {'retry-after': String(trouble.waitSeconds)},
						body: {ok: false, error: 'ratelimited'},
					};
				case 'rejected':
					return failed('channel_not_found');
				case 'server-error':
					return {status: 500, body: {ok: false, error: 'internal_error'}};
				case 'hidden-error':
					return failed('is_archived');
			}
		},
	});
	return {
		...served,
		settings: {token, base_url: `${served.baseUrl}/api`},
		chatId: chats[0]!,
		otherChatId: chats[1]!,
		thread: {thread_ts: parent},
	};
};

function read(request: PlatformRequest, note: Note) {
	insist(request.path === '/api/chat.postMessage', `${request.path}: no such method`, failed('unknown_method'));
	requireMethod(request, 'POST', invalidArguments('missing required field: channel'));
	noteOtherQuery(request, [], note);
	const isForm = request.headers['content-type']?.startsWith('application/x-www-form-urlencoded');
	const value = isForm ? formBody(request, invalidArguments) : jsonBody(request, () => failed('invalid_post_type'));
	const sent = checked(value, body, {refuse: invalidArguments, note});
	insist(chats.includes(sent.channel), `no channel ${sent.channel}`, failed('channel_not_found'));
	insist(!(sent.text && sent.markdown_text), 'text and markdown_text', failed('markdown_text_conflict'));
	insist(codePoints(sent.markdown_text ?? '') <= 12_000, 'markdown_text too long', failed('msg_too_long'));
	const raw = sent.text ?? sent.markdown_text ?? '';
	insist(raw !== '', 'the text is empty', failed('no_text'));
	insist(codePoints(raw) <= 40_000, `${codePoints(raw)} characters`, failed('msg_too_long'));
	const isThread = sent.thread_ts === undefined || (sent.thread_ts === parent && sent.channel === chats[0]);
	insist(isThread, `no message ${sent.thread_ts}`, failed('cannot_reply_to_message'));
	const text = sent.text === undefined ? raw : visibleText(raw);
	return {chat: sent.channel, text, ...(sent.thread_ts !== undefined && {thread: sent.thread_ts})};
}

/** A bare `<` begins a link or a mention, so text that was not escaped does not come out as it went in. */
function visibleText(text: string): string {
	return text
		.replaceAll(
			/<([^<>|]*)(?:\|([^<>]*))?>/g,
			(_found, target: string, label?: string) => label ?? target.replace(/^!/, '@'),
		)
		.replaceAll('&lt;', '<')
		.replaceAll('&gt;', '>')
		.replaceAll('&amp;', '&');
}
