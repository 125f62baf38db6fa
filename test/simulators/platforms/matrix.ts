/*
Made from the client-server API: https://spec.matrix.org/latest/client-server-api/#put_matrixclientv3roomsroomidsendeventtypetxnid
(path, transaction ids), #standard-error-response (errcode), #size-limits (65,536 bytes the whole event),
#mroommessage (msgtype, format), #threading (m.relates_to), #rate-limiting (Retry-After, retry_after_ms).
*/
import {z} from 'zod';
import {type OpenPlatform} from './platform-simulator.ts';
import {type Note, type PlatformAnswer, type PlatformRequest, servePlatform} from './platform-server.ts';
import {bytes, checked, insist, noteOtherQuery, parsedJson, requireMethod} from './request-checks.ts';

const token = 'syt_c2x1aWNl_QkxpdmVzSGVyZQ_2wS4aU';
const rooms = ['!jEsUZKDJdhlrceRyVU:example.org', '!anotherRoomOfOurs:example.org'];
const root = '$Rqnc-F-dvnEYJTyHq_iKxU2bZ1CI92-kuZq3a5lr5Zg';

// Events may carry further keys of anybody's making, so unknown ones are neither refused nor noted.
const content = z.looseObject({
	msgtype: z.enum(['m.text', 'm.notice', 'm.emote']),
	body: z.string(),
	format: z.literal('org.matrix.custom.html').optional(),
	formatted_body: z.string().optional(),
	'm.mentions': z.looseObject({room: z.boolean().optional()}).optional(),
	'm.relates_to': z
		.looseObject({
			rel_type: z.literal('m.thread'),
			event_id: z.string(),
			is_falling_back: z.boolean().optional(),
			'm.in_reply_to': z.looseObject({event_id: z.string()}).optional(),
		})
		.optional(),
});

const failed = (status: number, errcode: string, error: string): PlatformAnswer => ({status, body: {errcode, error}});
const badJson = (problem: string) => failed(400, 'M_BAD_JSON', problem);

/** Opens a pretended homeserver with two rooms and a thread in the first. */
export const openMatrix: OpenPlatform = async () => {
	const served = await servePlatform({
		guard: request => {
			if (request.path === '/_matrix/client/versions') {
				return;
			}

			const {authorization} = request.headers;
			insist(authorization !== undefined, 'no token', failed(401, 'M_MISSING_TOKEN', 'Missing access token'));
			insist(
				authorization === `Bearer ${token}`,
				'the token is wrong',
				failed(401, 'M_UNKNOWN_TOKEN', 'Unrecognised access token'),
			);
		},
		aside: request => {
			if (request.path === '/_matrix/client/versions') {
				return {status: 200, body: {versions: ['v1.11']}};
			}

			return request.method === 'GET' && request.path === '/_matrix/client/v3/account/whoami'
				? {status: 200, body: {user_id: '@sluice:example.org', device_id: 'SLUICE'}}
				: undefined;
		},
		read,
		repeat: 'is-the-same-message',
		accept: (_message, position) => ({status: 200, body: {event_id: `$event-${position}`}}),
		trouble: trouble => {
			switch (trouble.kind) {
				case 'rate-limited':
					return {
						status: 429,
						body: {errcode: 'M_LIMIT_EXCEEDED', error: 'Too Many Requests', retry_after_ms: trouble.waitSeconds * 1000},
						headers: {'retry-after': String(trouble.waitSeconds)},
					};
				case 'rejected':
					return failed(403, 'M_FORBIDDEN', 'User @sluice:example.org not in room');
				case 'server-error':
					return failed(500, 'M_UNKNOWN', 'Internal server error');
				case 'hidden-error':
					return failed(400, 'M_INVALID_PARAM', 'This is what a 400 looks like');
			}
		},
	});
	return {
		...served,
		settings: {token, base_url: served.baseUrl},
		chatId: rooms[0]!,
		otherChatId: rooms[1]!,
		thread: {thread_id: root},
	};
};

function read(request: PlatformRequest, note: Note) {
	const found = /^\/_matrix\/client\/v3\/rooms\/([^/]+)\/send\/m\.room\.message\/([^/]+)$/.exec(request.path);
	insist(found !== null, `${request.path}: no such path`, failed(404, 'M_UNRECOGNIZED', 'Unrecognized request'));
	requireMethod(request, 'PUT', failed(405, 'M_UNRECOGNIZED', 'Unrecognized request'));
	noteOtherQuery(request, [], note);
	const chat = decodeURIComponent(found[1] ?? '');
	const repeatKey = decodeURIComponent(found[2] ?? '');
	const sent = checked(
		parsedJson(request.body, problem => failed(400, 'M_NOT_JSON', problem)),
		content,
		{refuse: badJson},
	);
	insist(
		rooms.includes(chat),
		`not in room ${chat}`,
		failed(403, 'M_FORBIDDEN', `User @sluice:example.org not in room ${chat}`),
	);
	// Without the key the older rule holds: the word alone calls the room.
	if (/@room\b/.test(sent.body) && (sent['m.mentions'] === undefined || sent['m.mentions'].room === true)) {
		note('the room is called');
	}

	const hasFormat = (sent.format === undefined) === (sent.formatted_body === undefined);
	insist(hasFormat, 'format and formatted_body belong together', badJson('formatted_body needs format'));
	insist(
		fullEvent(chat, sent) <= 65_536,
		`${fullEvent(chat, sent)} bytes`,
		failed(413, 'M_TOO_LARGE', 'event too large'),
	);
	const thread = sent['m.relates_to']?.event_id;
	insist(
		thread === undefined || thread === root,
		`no event ${thread}`,
		failed(400, 'M_INVALID_PARAM', 'Unknown parent event'),
	);
	return {chat, text: sent.body, repeatKey, ...(thread !== undefined && {thread})};
}

/** Bytes of the event a server makes of the content: its room, its place in the room's graph, hashes, a signature. */
function fullEvent(room: string, sent: unknown): number {
	const hash = 'x'.repeat(43);
	const around = {
		auth_events: [`$${hash}`, `$${hash}`, `$${hash}`],
		prev_events: [`$${hash}`],
		type: 'm.room.message',
		room_id: room,
		sender: '@sluice:example.org',
		depth: 1_000_000,
		origin_server_ts: 1_700_000_000_000,
		hashes: {sha256: hash},
		signatures: {'example.org': {'ed25519:a_abcd': 'x'.repeat(86)}},
		content: sent,
	};
	return bytes(JSON.stringify(around));
}
