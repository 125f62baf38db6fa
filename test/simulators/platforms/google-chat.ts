/*
Made from https://developers.google.com/workspace/chat/quickstart/webhooks (key and token in the query, UTF-8 JSON,
`threadKey` with `messageReplyOption`), .../chat/api/reference/rest/v1/spaces.messages (32,000 bytes) and
https://cloud.google.com/apis/design/errors (shape of errors; one message a second for each space, then 429).
*/
import {z} from 'zod';
import {type OpenPlatform, type ReceivedMessage} from './platform-simulator.ts';
import {type Note, type PlatformAnswer, type PlatformRequest, servePlatform} from './platform-server.ts';
import {bytes, checked, insist, jsonBody, noteOtherQuery, requireMethod, requirePath} from './request-checks.ts';

const path = '/v1/spaces/AAAAq1w2e3r4/messages';
const token = 'vH5b0gIuYpQ3k9zL1sXw7RtE2nJ8mCf6';
const chat = 'the space of the webhook';

const body = z.strictObject({text: z.string(), thread: z.strictObject({threadKey: z.string()}).optional()});
const failed = (code: number, status: string, message: string): PlatformAnswer => ({
	status: code,
	body: {error: {code, message, status}},
});
const invalid = (problem: string) => failed(400, 'INVALID_ARGUMENT', `Invalid JSON payload received. ${problem}`);

/** Opens a pretended `chat.googleapis.com` with one webhook of one space. */
export const openGoogleChat: OpenPlatform = async () => {
	const served = await servePlatform({
		guard: request => {
			const isRight = request.query.get('key') === 'AIza-public' && request.query.get('token') === token;
			insist(isRight, 'the token is wrong', failed(401, 'UNAUTHENTICATED', 'Invalid authentication credentials.'));
		},
		read,
		accept: ({text, thread}, position) => ({
			status: 200,
			body: {
				name: `spaces/AAAAq1w2e3r4/messages/m${position}`,
				text,
				thread: {name: `spaces/AAAAq1w2e3r4/threads/${thread ?? `t${position}`}`},
			},
		}),
		trouble: trouble => {
			switch (trouble.kind) {
				// No wait is named.
				case 'rate-limited':
					return failed(429, 'RESOURCE_EXHAUSTED', 'Resource has been exhausted (e.g. check quota).');
				case 'rejected':
					return failed(404, 'NOT_FOUND', 'Requested entity was not found.');
				case 'server-error':
					return failed(500, 'INTERNAL', 'Internal error encountered.');
				case 'hidden-error':
					return failed(403, 'PERMISSION_DENIED', 'The caller does not have permission');
			}
		},
	});
	return {
		...served,
		settings: {webhook_url: `${served.baseUrl}${path}?key=AIza-public&token=${token}`},
		chatId: chat,
		otherChatId: chat,
	};
};

function read(request: PlatformRequest, note: Note): ReceivedMessage {
	requirePath(request, path, failed(404, 'NOT_FOUND', 'Not Found'));
	requireMethod(request, 'POST', failed(404, 'NOT_FOUND', 'Not Found'));
	noteOtherQuery(request, ['key', 'token', 'messageReplyOption'], note);
	const {text, thread} = checked(jsonBody(request, invalid), body, {refuse: invalid});
	insist(text !== '', 'the text is empty', invalid('Message cannot be empty.'));
	insist(bytes(text) <= 32_000, `${bytes(text)} bytes`, invalid('Message size exceeds 32000 bytes.'));
	return {chat, text, ...(thread && {thread: thread.threadKey})};
}
