/*
Made from https://docs.discord.com/developers/resources/message#create-message and the machine-readable types of it,
`RESTPostAPIChannelMessageJSONBody` in discord-api-types/v10 (checked by `documentedKeys` below);
https://docs.discord.com/developers/reference (User-Agent, Bot authorization, error shape, snowflakes),
https://docs.discord.com/developers/topics/rate-limits (429), /topics/opcodes-and-status-codes (codes).
*/
import {type RESTPostAPIChannelMessageJSONBody} from 'discord-api-types/v10';
import {z} from 'zod';
import {type OpenPlatform} from './platform-simulator.ts';
import {type Note, type PlatformAnswer, type PlatformRequest, servePlatform} from './platform-server.ts';
import {anything, checked, codePoints, insist, jsonBody, noteOtherQuery, requireMethod} from './request-checks.ts';

const token = 'MTk4NjIyNDgzNDcxOTI1MjQ4.Cl2FMQ.ZnCjm1XVW7vRze4b7Cq4se7kKWs';
const chats = ['290926798999357250', '290926798999357251'];
/** A thread is a channel of its own; this one hangs below the first chat. */
const thread = '290926798999357299';

const documentedKeys = {
	content: z.string().optional(),
	nonce: z.union([z.number().int(), z.string().max(25)]).optional(),
	tts: z.boolean().optional(),
	embeds: anything,
	allowed_mentions: z
		.strictObject({
			parse: z.array(z.enum(['roles', 'users', 'everyone'])).optional(),
			roles: z.array(z.string()).optional(),
			users: z.array(z.string()).optional(),
			replied_user: z.boolean().optional(),
		})
		.optional(),
	message_reference: anything,
	components: anything,
	sticker_ids: anything,
	attachments: anything,
	flags: z.number().int().optional(),
	enforce_nonce: z.boolean().optional(),
	poll: anything,
	shared_client_theme: anything,
} satisfies Record<keyof RESTPostAPIChannelMessageJSONBody, z.ZodType>;
const body = z.strictObject(documentedKeys);

const failed = (status: number, code: number, message: string): PlatformAnswer => ({status, body: {message, code}});
const invalidForm = (problem: string): PlatformAnswer => ({
	status: 400,
	body: {
		message: 'Invalid Form Body',
		code: 50_035,
		errors: {content: {_errors: [{code: 'BASE_TYPE_BAD', message: problem}]}},
	},
});
const unknownChannel = failed(404, 10003, 'Unknown Channel');

/** Opens a pretended Discord with two channels and a thread below the first. */
export const openDiscord: OpenPlatform = async () => {
	const served = await servePlatform({
		guard: checkCaller,
		aside: request => {
			return request.method === 'GET' && request.path === '/api/v10/users/@me'
				? {status: 200, body: {id: '1', username: 'sluice', bot: true}}
				: undefined;
		},
		read,
		repeat: 'is-the-same-message',
		keysBelongTo: 'account',
		accept: (message, position) => ({
			status: 200,
			body: {
				id: String(400_000_000_000_000_000n + BigInt(position)),
				channel_id: message.thread ?? message.chat,
				content: message.text,
			},
		}),
		trouble: trouble => {
			switch (trouble.kind) {
				case 'rate-limited':
					return {
						status: 429,
						headers: {
							'retry-after': String(Math.ceil(trouble.waitSeconds)),
							'x-ratelimit-reset-after': String(trouble.waitSeconds),
							'x-ratelimit-scope': 'user',
						},
						body: {message: 'You are being rate limited.', retry_after: trouble.waitSeconds, global: false},
					};
				case 'rejected':
					return unknownChannel;
				case 'server-error':
					return failed(500, 0, '500: Internal Server Error');
				case 'hidden-error':
					return invalidForm('This is what a 400 looks like.');
			}
		},
	});
	return {
		...served,
		settings: {token, base_url: `${served.baseUrl}/api/v10`},
		chatId: chats[0]!,
		otherChatId: chats[1]!,
		thread: {thread_id: thread},
	};
};

function checkCaller(request: PlatformRequest): void {
	const agent = request.headers['user-agent'] ?? '';
	// The documentation: clients must name themselves so, others are blocked in front of the API.
	insist(
		/^DiscordBot \(.+, .+\)/.test(agent),
		`the User-Agent is "${agent}"`,
		failed(403, 40333, 'internal network error'),
	);
	insist(request.headers.authorization === `Bot ${token}`, 'the token is wrong', failed(401, 0, '401: Unauthorized'));
}

function read(request: PlatformRequest, note: Note) {
	const channel = /^\/api\/v10\/channels\/(\d+)\/messages$/.exec(request.path)?.[1];
	insist(channel !== undefined, `${request.path}: no such path`, failed(404, 0, '404: Not Found'));
	requireMethod(request, 'POST', failed(405, 0, '405: Method Not Allowed'));
	noteOtherQuery(request, [], note);
	const refuse = invalidForm;
	const sent = checked(jsonBody(request, refuse), body, {refuse, note});
	insist([...chats, thread].includes(channel), `no channel ${channel}`, unknownChannel);
	const text = sent.content ?? '';
	insist(text.trim() !== '', 'the content is empty', failed(400, 50006, 'Cannot send an empty message'));
	insist(codePoints(text) <= 2000, `${codePoints(text)} characters`, invalidForm('Must be 2000 or fewer in length.'));
	if (/@(?:everyone|here)\b/.test(text) && (sent.allowed_mentions?.parse ?? ['everyone']).includes('everyone')) {
		note('everyone is called');
	}

	const isKey = sent.nonce !== undefined && sent.enforce_nonce === true;
	return {
		chat: channel === thread ? chats[0]! : channel,
		text,
		...(channel === thread && {thread}),
		...(isKey && {repeatKey: String(sent.nonce)}),
	};
}
