/*
Made from https://www.twilio.com/docs/messaging/api/message-resource#create-a-message-resource (form parameters, Body
of 1,600 characters, 201), https://www.twilio.com/docs/usage/requests-to-twilio (Basic) and the error pages
https://www.twilio.com/docs/api/errors/20003, 20404, 20429, 21211, 21602, 21603, 21604, 21606, 21617.
*/
import {z} from 'zod';
import {type OpenPlatform} from './platform-simulator.ts';
import {type Note, type PlatformAnswer, type PlatformRequest, servePlatform} from './platform-server.ts';
import {anything, checked, formBody, insist, noteOtherQuery, requireMethod, requirePath} from './request-checks.ts';

const accountSid = 'AC00000000000000000000000000000001';
const authToken = '0123456789abcdef0123456789abcdef';
const from = '+15550001111';
const phones = ['+15550100002', '+15550100003'];

const form = z.strictObject({
	To: z.string().optional(),
	From: z.string().optional(),
	MessagingServiceSid: anything,
	Body: z.string().optional(),
	StatusCallback: anything,
	ApplicationSid: anything,
	MaxPrice: anything,
	ProvideFeedback: anything,
	Attempt: anything,
	ValidityPeriod: anything,
	ForceDelivery: anything,
	ContentRetention: anything,
	AddressRetention: anything,
	SmartEncoded: anything,
	PersistentAction: anything,
	TrafficType: anything,
	ShortenUrls: anything,
	ScheduleType: anything,
	SendAt: anything,
	SendAsMms: anything,
	ContentVariables: anything,
	RiskCheck: anything,
	MediaUrl: anything,
	ContentSid: anything,
});

const failed = (status: number, code: number, message: string): PlatformAnswer => ({
	status,
	body: {code, message, more_info: `https://www.twilio.com/docs/errors/${code}`, status},
});

/** Opens a pretended `api.twilio.com` with one account, its number and two phones. */
export const openSms: OpenPlatform = async () => {
	const served = await servePlatform({
		guard: request => {
			const expected = `Basic ${Buffer.from(`${accountSid}:${authToken}`).toString('base64')}`;
			insist(
				request.headers.authorization === expected,
				'the credentials are wrong',
				failed(401, 20_003, 'Authenticate'),
			);
		},
		aside: request => {
			return request.method === 'GET' && request.path === `/2010-04-01/Accounts/${accountSid}.json`
				? {status: 200, body: {sid: accountSid, status: 'active'}}
				: undefined;
		},
		read,
		accept: (message, position) => ({
			status: 201,
			body: {
				sid: `SM${String(position).padStart(32, '0')}`,
				status: 'queued',
				to: message.chat,
				from,
				body: message.text,
				error_code: null,
				error_message: null,
			},
		}),
		trouble: trouble => {
			switch (trouble.kind) {
				case 'rate-limited':
					return {...failed(429, 20_429, 'Too Many Requests'), headers: {'retry-after': String(trouble.waitSeconds)}};
				case 'rejected':
					return failed(400, 21_211, "The 'To' number is not a valid phone number");
				case 'server-error':
					return failed(500, 20_500, 'Internal Server Error');
				case 'hidden-error':
					return failed(400, 21_610, 'Attempt to send to unsubscribed recipient');
			}
		},
	});
	return {
		...served,
		settings: {account_sid: accountSid, auth_token: authToken, from, base_url: served.baseUrl},
		chatId: phones[0]!,
		otherChatId: phones[1]!,
	};
};

function read(request: PlatformRequest, note: Note) {
	const path = `/2010-04-01/Accounts/${accountSid}/Messages.json`;
	requirePath(request, path, failed(404, 20_404, `The requested resource ${request.path} was not found`));
	requireMethod(request, 'POST', failed(405, 20_004, 'Method not allowed'));
	noteOtherQuery(request, [], note);
	const refuse = (problem: string) => failed(400, 20_001, problem);
	const sent = checked(formBody(request, refuse), form, {refuse, note});
	insist(sent.To !== undefined, 'no To', failed(400, 21_604, "A 'To' phone number is required."));
	const hasSender = sent.From !== undefined || sent.MessagingServiceSid !== undefined;
	insist(hasSender, 'no From', failed(400, 21_603, "A 'From' phone number is required."));
	const isOurs = sent.From === undefined || sent.From === from;
	insist(
		isOurs,
		`From is ${sent.From}`,
		failed(400, 21_606, "The 'From' phone number provided is not a valid message-capable Twilio phone number."),
	);
	insist(phones.includes(sent.To), `no phone ${sent.To}`, failed(400, 21_211, `Invalid 'To' Phone Number: ${sent.To}`));
	const text = sent.Body ?? '';
	insist(text !== '', 'the body is empty', failed(400, 21_602, 'Message body is required.'));
	const isShort = text.length <= 1600;
	insist(
		isShort,
		`${text.length} UTF-16 units`,
		failed(400, 21_617, 'The concatenated message body exceeds the 1600 character limit.'),
	);
	return {chat: sent.To, text};
}
