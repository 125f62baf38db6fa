/*
Made from https://developer.pagerduty.com/docs/send-alert-event (POST /v2/enqueue, keys, 202, 512 KB, one alert for each
`dedup_key`) and https://developer.pagerduty.com/docs/events-api-v2-overview (400 with `errors`, 429).
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

const routingKey = 'R0M7K2X9Q4W8E1T5Y3U6I0O2P4A7S9D1';
const chat = 'the service of the key';

const body = z.strictObject({
	routing_key: z.string(),
	event_action: z.literal('trigger'),
	dedup_key: z.string().max(255).optional(),
	payload: z.strictObject({
		summary: z.string().min(1).max(1024),
		source: z.string().min(1),
		severity: z.enum(['critical', 'error', 'warning', 'info']),
		custom_details: z.strictObject({text: z.string()}).optional(),
		timestamp: anything,
		component: anything,
		group: anything,
		class: anything,
	}),
	client: anything,
	client_url: anything,
	links: anything,
	images: anything,
});

const invalid = (problem: string): PlatformAnswer => ({
	status: 400,
	body: {status: 'invalid event', message: 'Event object is invalid', errors: [problem]},
});

/** Opens a pretended Events API with one service. */
export const openPagerduty: OpenPlatform = async () => {
	const served = await servePlatform({
		read,
		repeat: 'is-the-same-message',
		accept: ({repeatKey}, position) => ({
			status: 202,
			body: {status: 'success', message: 'Event processed', dedup_key: repeatKey ?? `key${position}`},
		}),
		trouble: trouble => {
			switch (trouble.kind) {
				// No wait is named.
				case 'rate-limited':
					return {
						status: 429,
						body: {status: 'throttle exceeded', message: 'Requests for this service are arriving too quickly.'},
					};
				case 'rejected':
					return invalid("'routing_key' is invalid (must be a valid routing key)");
				case 'server-error':
					return {status: 500, body: 'Internal Server Error'};
				case 'hidden-error':
					return invalid("'payload.summary' is missing or blank");
			}
		},
	});
	return {
		...served,
		settings: {routing_key: routingKey, base_url: served.baseUrl},
		chatId: chat,
		otherChatId: chat,
	};
};

function read(request: PlatformRequest, note: Note): ReceivedMessage {
	requirePath(request, '/v2/enqueue', {status: 404, body: 'Not Found'});
	requireMethod(request, 'POST', {status: 405, body: 'Method Not Allowed'});
	noteOtherQuery(request, [], note);
	insist(bytes(request.body) <= 512 * 1024, `${bytes(request.body)} bytes`, {
		status: 413,
		body: 'Request Entity Too Large',
	});
	const sent = checked(parsedJson(request.body, invalid), body, {refuse: invalid, note});
	insist(sent.routing_key === routingKey, 'the routing key is wrong', invalid("'routing_key' is invalid"));
	const {summary, custom_details: details} = sent.payload;
	return {chat, text: details?.text ?? summary, ...(sent.dedup_key !== undefined && {repeatKey: sent.dedup_key})};
}
