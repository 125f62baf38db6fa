/*
Made from https://docs.ntfy.sh/publish/#publish-as-json (POST to the root, keys, 4,096 bytes a message), .../publish/#limitations
and server/errors.go (shape and numbers of errors).
*/
import {z} from 'zod';
import {type OpenPlatform, type ReceivedMessage} from './platform-simulator.ts';
import {type Note, type PlatformAnswer, type PlatformRequest, servePlatform} from './platform-server.ts';
import {
	anything,
	bytes,
	checked,
	insist,
	noteOtherQuery,
	parsedJson,
	requireMethod,
	requirePath,
} from './request-checks.ts';

const token = 'tk_AgQdq7mVBoFD37zQVN29RhuMzNIz2';
const topics = ['builds', 'alerts'];

const body = z.strictObject({
	topic: z.string(),
	message: z.string().optional(),
	title: z.string().optional(),
	priority: z.int().min(1).max(5).optional(),
	tags: anything,
	click: anything,
	markdown: anything,
});

const failed = (http: number, code: number, error: string): PlatformAnswer => ({
	status: http,
	body: {code, http, error, link: 'https://ntfy.sh/docs/publish/'},
});
const invalid = () => failed(400, 40_017, 'invalid request: request body must be valid JSON');
const forbidden = failed(403, 40_301, 'forbidden');

/** Opens a pretended ntfy server with two protected topics. */
export const openNtfy: OpenPlatform = async () => {
	const served = await servePlatform({
		guard: request => {
			const isRight = request.headers.authorization === `Bearer ${token}`;
			insist(isRight, 'the token is wrong', failed(401, 40_101, 'unauthorized'));
		},
		read,
		accept: ({chat, text}, position) => ({
			status: 200,
			body: {id: `id${position}`, time: 1, expires: 2, event: 'message', topic: chat, message: text},
		}),
		trouble: trouble => {
			switch (trouble.kind) {
				// No wait is named.
				case 'rate-limited':
					return failed(429, 42_901, 'limit reached: too many requests');
				case 'rejected':
					return forbidden;
				case 'server-error':
					return failed(500, 50_001, 'internal server error');
				case 'hidden-error':
					return failed(507, 50_701, 'cannot publish to UnifiedPush topic without previously active subscriber');
			}
		},
	});
	return {...served, settings: {token, base_url: served.baseUrl}, chatId: topics[0]!, otherChatId: topics[1]!};
};

function read(request: PlatformRequest, note: Note): ReceivedMessage {
	const missing = failed(404, 40_401, 'page not found');
	requirePath(request, '/', missing);
	requireMethod(request, 'POST', missing);
	noteOtherQuery(request, [], note);
	const {topic, message = ''} = checked(parsedJson(request.body, invalid), body, {refuse: invalid, note});
	insist(topics.includes(topic), `no topic ${topic}`, forbidden);
	insist(bytes(message) <= 4096, `${bytes(message)} bytes`, failed(413, 41_301, 'attachment too large'));
	return {chat: topic, text: message};
}
