/* Made from https://www.standardwebhooks.com (headers, payload); signatures are made again with its own library. */
import {Webhook} from 'standardwebhooks';
import {z} from 'zod';
import {type OpenPlatform, type ReceivedMessage} from './platform-simulator.ts';
import {type Note, type PlatformAnswer, type PlatformRequest, servePlatform} from './platform-server.ts';
import {checked, insist, jsonBody, noteOtherQuery, requireMethod} from './request-checks.ts';

/** The secret of both endpoints. */
export const endpointSecret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
const names = ['builds', 'alerts'];

const body = z.strictObject({
	type: z.literal('message'),
	timestamp: z.iso.datetime(),
	data: z.strictObject({text: z.string(), route: z.string()}),
});

const failed = (status: number, error: string): PlatformAnswer => ({status, body: {error}});
const invalid = (problem: string) => failed(400, problem);

/** Opens a receiver of signed webhooks with two addresses. */
export const openUrl: OpenPlatform = async ({clock = {now: Date.now}} = {}) => {
	const served = await servePlatform({
		guard: request => checkSignature(request, clock.now()),
		read,
		accept: () => ({status: 204, body: ''}),
		trouble: trouble => {
			switch (trouble.kind) {
				case 'rate-limited':
					return {...failed(429, 'too many requests'), headers: {'retry-after': String(trouble.waitSeconds)}};
				case 'rejected':
					return failed(410, 'this endpoint is gone');
				case 'server-error':
					return failed(500, 'broken');
				case 'hidden-error':
					return failed(422, 'the payload is not supported');
			}
		},
	});
	const endpoint = (name: string) => ({
		url: `${served.baseUrl}/hooks/${name}`,
		secret: endpointSecret,
		headers: {'X-Tenant': 'tenant-4711-secret'},
	});
	return {
		...served,
		settings: Object.fromEntries(names.map(name => [name, endpoint(name)])),
		chatId: names[0]!,
		otherChatId: names[1]!,
	};
};

function checkSignature(request: PlatformRequest, now: number): void {
	const {'webhook-id': id = '', 'webhook-timestamp': seconds, 'webhook-signature': signature} = request.headers;
	const at = Number(seconds) * 1000;
	insist(Math.abs(now - at) <= 300_000, `the timestamp is ${String(seconds)}`, failed(401, 'the timestamp is too old'));
	const expected = new Webhook(endpointSecret).sign(String(id), new Date(at), request.body);
	insist(signature === expected, 'the signature is wrong', failed(401, 'the signature is wrong'));
}

function read(request: PlatformRequest, note: Note): ReceivedMessage {
	const chat = names.find(name => request.path === `/hooks/${name}`);
	insist(chat !== undefined, `${request.path}: no such path`, failed(404, 'not found'));
	requireMethod(request, 'POST', failed(405, 'the method is POST'));
	noteOtherQuery(request, [], note);
	insist(request.headers['x-tenant'] === 'tenant-4711-secret', 'no tenant', failed(403, 'no tenant'));
	const {data} = checked(jsonBody(request, invalid), body, {refuse: invalid, note});
	return {chat, text: data.text};
}
