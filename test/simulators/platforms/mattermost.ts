/*
Made from https://developers.mattermost.com/api-documentation/#/operations/CreatePost (keys, 201, set_online),
https://api.mattermost.com/#tag/introduction (Bearer, error object, rate limiting headers and its plain-text body),
server/public/model/post.go (16,383 runes, 26-character ids) and server/channels/app/post.go (a known `pending_post_id`
answers with the post already made).
*/
import {z} from 'zod';
import {type OpenPlatform} from './platform-simulator.ts';
import {type Note, type PlatformAnswer, type PlatformRequest, servePlatform} from './platform-server.ts';
import {
	anything,
	checked,
	codePoints,
	insist,
	noteOtherQuery,
	parsedJson,
	requireMethod,
	requirePath,
} from './request-checks.ts';

const token = 'hyr5dmb1mbb49c44qmx4whniso';
const channels = ['4xp9fdt77pncbef59f4k1qe83o', '5xp9fdt77pncbef59f4k1qe84y'];
const root = '7xp9fdt77pncbef59f4k1qe85r';

const body = z.strictObject({
	channel_id: z.string(),
	message: z.string(),
	root_id: z.string().optional(),
	file_ids: anything,
	props: z.looseObject({}).optional(),
	metadata: anything,
	pending_post_id: z.string().optional(),
});

const failed = (status: number, id: string, message: string): PlatformAnswer => ({
	status,
	body: {id, message, detailed_error: '', request_id: 'rq1', status_code: status},
});
const invalid = (problem: string) => failed(400, 'api.context.invalid_body_param.app_error', problem);
const forbidden = failed(403, 'api.context.permissions.app_error', 'You do not have the appropriate permissions.');

/** Opens a pretended Mattermost server with two channels and a thread in the first. */
export const openMattermost: OpenPlatform = async () => {
	const served = await servePlatform({
		guard: request => {
			const isRight = request.headers.authorization === `Bearer ${token}`;
			const expired = failed(
				401,
				'api.context.session_expired.app_error',
				'Invalid or expired session, please login again.',
			);
			insist(isRight, 'the token is wrong', expired);
		},
		aside: request => {
			return request.method === 'GET' && request.path === '/api/v4/users/me'
				? {status: 200, body: {id: 'sluiceuserid00000000000000', username: 'sluice'}}
				: undefined;
		},
		read,
		repeat: 'is-the-same-message',
		keysBelongTo: 'account',
		accept: (message, position) => ({
			status: 201,
			body: {
				id: String(position).padStart(26, 'p'),
				channel_id: message.chat,
				root_id: message.thread ?? '',
				message: message.text,
			},
		}),
		trouble: trouble => {
			switch (trouble.kind) {
				case 'rate-limited':
					return {
						status: 429,
						headers: {
							'retry-after': String(trouble.waitSeconds),
							'x-ratelimit-limit': '10',
							'x-ratelimit-remaining': '0',
							'x-ratelimit-reset': String(trouble.waitSeconds),
						},
						body: 'limit exceeded',
					};
				case 'rejected':
					return forbidden;
				case 'server-error':
					return failed(500, 'app.post.save.app_error', 'Unable to save the Post.');
				case 'hidden-error':
					return failed(400, 'api.post.create_post.can_not_post_to_deleted.error', 'Can not post to deleted channel.');
			}
		},
	});
	return {
		...served,
		settings: {token, base_url: served.baseUrl},
		chatId: channels[0]!,
		otherChatId: channels[1]!,
		thread: {root_id: root},
	};
};

function read(request: PlatformRequest, note: Note) {
	const missing = failed(404, 'api.context.404.app_error', 'Sorry, we could not find the page.');
	requirePath(request, '/api/v4/posts', missing);
	requireMethod(request, 'POST', missing);
	noteOtherQuery(request, ['set_online'], note);
	const sent = checked(parsedJson(request.body, invalid), body, {refuse: invalid, note});
	const isId = /^[a-z0-9]{26}$/.test(sent.channel_id);
	insist(isId, `channel_id ${sent.channel_id}`, invalid('Invalid or missing channel_id in request body.'));
	insist(channels.includes(sent.channel_id), `no channel ${sent.channel_id}`, forbidden);
	insist(sent.message !== '', 'the message is empty', invalid('Invalid or missing message in request body.'));
	const isShort = codePoints(sent.message) <= 16_383;
	const tooLong = failed(
		400,
		'model.post.is_valid.message_length.app_error',
		'Post Message property is longer than the maximum permitted length.',
	);
	insist(isShort, `${codePoints(sent.message)} runes`, tooLong);
	const thread = sent.root_id || undefined;
	const isThread = thread === undefined || (thread === root && sent.channel_id === channels[0]);
	insist(
		isThread,
		`no root ${thread}`,
		failed(400, 'api.post.create_post.root_id.app_error', 'Invalid RootId parameter.'),
	);
	return {
		chat: sent.channel_id,
		text: sent.message,
		...(thread !== undefined && {thread}),
		...(sent.pending_post_id !== undefined && {repeatKey: sent.pending_post_id}),
	};
}
