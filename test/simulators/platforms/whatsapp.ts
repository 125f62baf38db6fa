/*
Made from https://developers.facebook.com/docs/whatsapp/cloud-api/reference/messages and
/docs/whatsapp/cloud-api/messages/text-messages (keys, body of 4,096 characters),
/docs/whatsapp/cloud-api/support/error-codes (codes, `error_data`) and
https://developers.facebook.com/docs/graph-api/guides/error-handling (error shape). The Graph API refuses unknown keys.
*/
import {z} from 'zod';
import {type OpenPlatform} from './platform-simulator.ts';
import {type Note, type PlatformAnswer, type PlatformRequest, servePlatform} from './platform-server.ts';
import {checked, codePoints, insist, jsonBody, noteOtherQuery, requireMethod, requirePath} from './request-checks.ts';

const token = 'EAAJB0000000000000000000000000000ZD';
const phoneNumberId = '106540352242922';
const phones = ['15550100004', '15550100005'];

const body = z.strictObject({
	messaging_product: z.literal('whatsapp'),
	recipient_type: z.enum(['individual', 'group']).optional(),
	to: z.string(),
	type: z.literal('text'),
	text: z.strictObject({body: z.string(), preview_url: z.boolean().optional()}),
	context: z.strictObject({message_id: z.string()}).optional(),
	biz_opaque_callback_data: z.string().optional(),
});

const failed = (status: number, code: number, message: string): PlatformAnswer => ({
	status,
	body: {
		error: {
			message: `(#${code}) ${message}`,
			type: 'OAuthException',
			code,
			error_data: {messaging_product: 'whatsapp', details: message},
			fbtrace_id: 'Az8or2yhqkZfEZ-_4Qn_Bam',
		},
	},
});
const invalid = (problem: string) => failed(400, 100, `Invalid parameter: ${problem}`);

/** Opens a pretended `graph.facebook.com/v23.0` with one business number and two phones. */
export const openWhatsapp: OpenPlatform = async () => {
	const served = await servePlatform({
		guard: request => {
			const isRight = request.headers.authorization === `Bearer ${token}`;
			insist(isRight, 'the token is wrong', failed(401, 190, 'Invalid OAuth access token - Cannot parse access token'));
		},
		aside: request => {
			return request.method === 'GET' && request.path === `/v23.0/${phoneNumberId}`
				? {status: 200, body: {id: phoneNumberId, display_phone_number: '+1 555-000-2222', verified_name: 'Sluice'}}
				: undefined;
		},
		read,
		accept: (message, position) => ({
			status: 200,
			body: {
				messaging_product: 'whatsapp',
				contacts: [{input: message.chat, wa_id: message.chat}],
				messages: [{id: `wamid.${position}`, message_status: 'accepted'}],
			},
		}),
		trouble: trouble => {
			switch (trouble.kind) {
				// The documentation gives no wait here; there is no Retry-After to be had.
				case 'rate-limited':
					return failed(429, 130_429, 'Rate limit hit');
				case 'rejected':
					return failed(400, 131_026, 'Message undeliverable');
				case 'server-error':
					return failed(500, 131_000, 'Something went wrong');
				case 'hidden-error':
					return failed(400, 131_047, 'Re-engagement message');
			}
		},
	});
	return {
		...served,
		settings: {token, phone_number_id: phoneNumberId, base_url: `${served.baseUrl}/v23.0`},
		chatId: phones[0]!,
		otherChatId: phones[1]!,
	};
};

function read(request: PlatformRequest, note: Note) {
	const path = `/v23.0/${phoneNumberId}/messages`;
	requirePath(request, path, failed(400, 100, 'Unsupported post request. Object does not exist'));
	requireMethod(request, 'POST', failed(400, 100, `Unsupported ${request.method.toLowerCase()} request.`));
	noteOtherQuery(request, [], note);
	const sent = checked(jsonBody(request, invalid), body, {refuse: invalid});
	const chat = sent.to.replace(/^\+/, '');
	insist(phones.includes(chat), `no phone ${sent.to}`, failed(400, 131_026, 'Message undeliverable'));
	const text = sent.text.body;
	insist(text.trim() !== '', 'the body is empty', invalid("text['body'] must not be empty"));
	const isShort = codePoints(text) <= 4096;
	insist(
		isShort,
		`${codePoints(text)} characters`,
		invalid("Param text['body'] must be at most 4096 characters long."),
	);
	return {chat, text, ...(sent.context && {thread: sent.context.message_id})};
}
