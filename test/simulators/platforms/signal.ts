/*
Made from signal-cli's manual pages: https://github.com/AsamK/signal-cli/blob/master/man/signal-cli-jsonrpc.5.adoc
(`POST /api/v1/rpc`, request and error objects, multi-account `account`) and man/signal-cli.1.adoc, `send` (parameters,
camelCase in JSON-RPC); HttpServerHandler.java (405, and 415 unless the content type is exactly `application/json`).
Every error of a method comes inside a 200.
*/
import {z} from 'zod';
import {type OpenPlatform, type ReceivedMessage} from './platform-simulator.ts';
import {type Note, type PlatformAnswer, type PlatformRequest, servePlatform} from './platform-server.ts';
import {anything, checked, insist, noteOtherQuery, parsedJson, requireMethod, requirePath} from './request-checks.ts';

const account = '+15550009999';
const recipient = '+15550100001';
const group = 'EdSqI90cS0UomDpgUXOlCoObWvQOXlH5G3Z2d3f4ayE=';

const call = z.strictObject({
	jsonrpc: z.literal('2.0'),
	id: z.union([z.string(), z.number()]),
	method: z.string(),
	params: z.unknown(),
});
const oneOrMany = z.union([z.string(), z.array(z.string())]).optional();
const parameters = z.strictObject({
	account: z.string(),
	recipient: oneOrMany,
	groupId: oneOrMany,
	username: anything,
	noteToSelf: anything,
	notifySelf: anything,
	message: z.string().optional(),
	attachment: anything,
	attachments: anything,
	viewOnce: anything,
	mention: anything,
	textStyle: oneOrMany,
	quoteTimestamp: anything,
	quoteAuthor: anything,
	quoteMessage: anything,
	quoteMention: anything,
	quoteTextStyle: anything,
	quoteAttachment: anything,
	previewUrl: anything,
	previewTitle: anything,
	previewDescription: anything,
	previewImage: anything,
	sticker: anything,
	storyTimestamp: anything,
	storyAuthor: anything,
	editTimestamp: anything,
	endSession: anything,
});

const failed = (id: unknown, error: {code: number; message: string; data?: unknown}): PlatformAnswer => ({
	status: 200,
	body: {jsonrpc: '2.0', error: {data: null, ...error}, id},
});

/** Opens a pretended signal-cli daemon in multi-account mode, with one account, one contact and one group. */
export const openSignal: OpenPlatform = async () => {
	const served = await servePlatform({
		aside: request => {
			if (request.method === 'GET' && request.path === '/api/v1/check') {
				return {status: 200};
			}

			return /"method"\s*:\s*"(listAccounts|version)"/.test(request.body) ? answerQuestion(request) : undefined;
		},
		read,
		accept: (message, position, request) => ({
			status: 200,
			body: {
				jsonrpc: '2.0',
				result: {
					timestamp: 1_631_458_508_000 + position,
					results: [{recipientAddress: {number: message.chat}, type: 'SUCCESS'}],
				},
				id: readCall(request).id,
			},
		}),
		trouble: (trouble, request) => {
			const {id} = readCall(request);
			switch (trouble.kind) {
				case 'rate-limited':
					return failed(id, {
						code: -5,
						message: 'Failed to send message due to rate limiting',
						data: {
							response: {
								timestamp: 1,
								results: [{type: 'RATE_LIMIT_FAILURE', token: 'a-challenge', retryAfterSeconds: trouble.waitSeconds}],
							},
						},
					});
				case 'rejected':
					return failed(id, {
						code: -1,
						message: 'Failed to send message',
						data: {
							response: {
								timestamp: 1,
								results: [{recipientAddress: {number: recipient}, type: 'UNREGISTERED_FAILURE'}],
							},
						},
					});
				case 'server-error':
					return {status: 500};
				case 'hidden-error':
					return failed(id, {code: -3, message: 'Failed to send message: Connection closed!'});
			}
		},
	});
	return {
		...served,
		settings: {account, base_url: served.baseUrl},
		chatId: recipient,
		otherChatId: `group:${group}`,
	};
};

function readCall(request: PlatformRequest) {
	requirePath(request, '/api/v1/rpc', {status: 404, body: '<h1>404 Not Found</h1>No context found for request'});
	requireMethod(request, 'POST', {status: 405});
	const type = request.headers['content-type'] ?? '';
	insist(type === 'application/json', `the content type is "${type}", not exactly application/json`, {status: 415});
	const value = parsedJson(request.body, problem => failed(null, {code: -32_700, message: problem}));
	return checked(value, call, {refuse: problem => failed(null, {code: -32_600, message: problem})});
}

function answerQuestion(request: PlatformRequest): PlatformAnswer {
	const {id, method} = readCall(request);
	return {
		status: 200,
		body: {jsonrpc: '2.0', result: method === 'version' ? {version: '0.13.24'} : [{number: account}], id},
	};
}

function read(request: PlatformRequest, note: Note): ReceivedMessage {
	noteOtherQuery(request, [], note);
	const {id, method, params} = readCall(request);
	insist(method === 'send', `no method ${method}`, failed(id, {code: -32_601, message: 'Method not implemented'}));
	const invalid = (message: string) => failed(id, {code: -32_602, message});
	const sent = checked(params, parameters, {refuse: invalid, note});
	insist(sent.account === account, `no account ${sent.account}`, invalid('Specified account does not exist'));
	const users = [sent.recipient ?? []].flat();
	const groups = [sent.groupId ?? []].flat();
	const userError = (message: string) => failed(id, {code: -1, message});
	insist(users.length + groups.length === 1, 'not one recipient', userError('No recipients given'));
	insist(
		users.every(user => user === recipient),
		`no user ${users[0]}`,
		userError(`Unregistered user "${users[0]}"`),
	);
	insist(
		groups.every(name => name === group),
		`no group ${groups[0]}`,
		userError(`Invalid group id: ${groups[0]}`),
	);
	const text = sent.message ?? '';
	insist(text !== '', 'the message is empty', userError('No message body, attachment or sticker given'));
	return {chat: groups[0] === undefined ? recipient : `group:${group}`, text};
}
