/*
Made from https://documenter.getpostman.com/view/765844/UV5RnfwM (BlueBubbles' REST API) and the server it describes,
https://github.com/BlueBubblesApp/bluebubbles-server, packages/server/src/server/api/http/api/v1: validators/
messageValidator.ts (keys; a `tempGuid` that is still being sent is refused), routers/messageRouter.ts (answers; a
`tempGuid` is forgotten once sent) and responses/errors.ts. It limits no rates: its 429 is the one of a proxy before it.
*/
import {z} from 'zod';
import {type OpenPlatform, type ReceivedMessage} from './platform-simulator.ts';
import {type Note, type PlatformAnswer, type PlatformRequest, servePlatform} from './platform-server.ts';
import {anything, checked, insist, jsonBody, noteOtherQuery, requireMethod, requirePath} from './request-checks.ts';

const password = 'p@ss word/+&=1';
const chats = ['iMessage;-;+15550100006', 'iMessage;+;chat831530319411428014'];
const known = 'B7C3D5E1-0F6A-4B56-9B1E-9E1B1F0A7C11';

const body = z.strictObject({
	chatGuid: z.string(),
	tempGuid: z.string().optional(),
	message: z.string(),
	method: z.enum(['apple-script', 'private-api']).optional(),
	effectId: anything,
	subject: z.string().optional(),
	selectedMessageGuid: z.string().optional(),
	partIndex: z.number().min(0).optional(),
	ddScan: z.boolean().optional(),
	textFormatting: anything,
	attributedBody: anything,
});

const answers = {
	400: ["You've made a bad request! Please check your request params & body", 'Validation Error'],
	401: ['You are not authorized to access this resource', 'Authentication Error'],
	404: ['The requested resource was not found', 'Database Error'],
	500: ['Message Send Error', 'iMessage Error'],
} as const;
const failed = (status: keyof typeof answers, words: string): PlatformAnswer => {
	const [message, type] = answers[status];
	return {status, body: {status, message, error: {type, message: words}}};
};

/** Opens a pretended BlueBubbles server with its private API on, a person and a group. */
export const openBluebubbles: OpenPlatform = async () => {
	const queued = new Set<string>();
	const served = await servePlatform({
		guard: request => {
			const given = request.query.get('password') ?? request.query.get('guid') ?? request.query.get('token');
			insist(given === password, 'the password is wrong', failed(401, 'Unauthorized'));
		},
		aside: request =>
			request.method === 'GET' && request.path === '/api/v1/ping'
				? {status: 200, body: {status: 200, message: 'Ping received!', data: 'pong'}}
				: undefined,
		read: (request, note) => read(request, note, queued),
		taken: (message, ending) => {
			if (ending === 'hung-up' && message.repeatKey !== undefined) {
				queued.add(message.repeatKey);
			}
		},
		accept: (message, position) => ({
			status: 200,
			body: {
				status: 200,
				message: 'Message sent!',
				data: {guid: `sent-${position}`, text: message.text, error: 0, tempGuid: message.repeatKey},
			},
		}),
		trouble: trouble => {
			switch (trouble.kind) {
				case 'rate-limited':
					return {status: 429, headers: {'retry-after': String(trouble.waitSeconds)}, body: 'Too Many Requests'};
				case 'rejected':
					return failed(500, 'Chat does not exist!');
				case 'server-error':
					return failed(500, 'Failed to send message! See attached message error code.');
				case 'hidden-error':
					return failed(400, 'This is what a 400 looks like');
			}
		},
	});
	return {
		...served,
		settings: {password, base_url: served.baseUrl},
		chatId: chats[0]!,
		otherChatId: chats[1]!,
	};
};

function read(request: PlatformRequest, note: Note, queued: ReadonlySet<string>): ReceivedMessage {
	const refuse = (problem: string) => failed(400, problem);
	requirePath(request, '/api/v1/message/text', failed(404, 'Not Found'));
	requireMethod(request, 'POST', failed(404, 'Not Found'));
	noteOtherQuery(request, ['password', 'guid', 'token'], note);
	const sent = checked(jsonBody(request, refuse), body, {refuse, note});
	const isPrivate = sent.method === 'private-api' || Boolean(sent.subject) || Boolean(sent.selectedMessageGuid);
	const needsKey = refuse("A 'tempGuid' is required when sending via AppleScript");
	insist(isPrivate || Boolean(sent.tempGuid), 'no tempGuid', needsKey);
	insist(sent.message !== '', 'the message is empty', refuse("A 'message' is required when sending via AppleScript"));
	const isQueued = sent.tempGuid !== undefined && queued.has(sent.tempGuid);
	const inQueue = refuse(`Message is already queued to be sent! (Temp GUID: ${sent.tempGuid})`);
	insist(!isQueued, `the tempGuid ${sent.tempGuid} is still being sent`, inQueue);
	insist(chats.includes(sent.chatGuid), `no chat ${sent.chatGuid}`, failed(500, 'Chat does not exist!'));
	const thread = sent.selectedMessageGuid;
	insist(thread === undefined || thread === known, `no message ${thread}`, failed(500, 'Message does not exist!'));
	return {
		chat: sent.chatGuid,
		text: sent.message,
		...(thread !== undefined && {thread}),
		...(sent.tempGuid !== undefined && {repeatKey: sent.tempGuid}),
	};
}
