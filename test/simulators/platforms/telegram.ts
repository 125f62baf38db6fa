/*
Made from the Bot API's documentation: https://core.telegram.org/bots/api#making-requests (URL, content types, `ok`,
`error_code`, `description`), #responseparameters (`retry_after`), #sendmessage (keys, 1–4096 characters after entities
parsing), #formatting-options (MarkdownV2, HTML). Only POST with JSON is pretended here.
*/
import {z} from 'zod';
import {visibleHtml, visibleMarkdownV2} from './telegram-markup.ts';
import {type OpenPlatform} from './platform-simulator.ts';
import {type Note, type PlatformAnswer, type PlatformRequest, Refusal, servePlatform} from './platform-server.ts';
import {anything, checked, insist, jsonBody, noteOtherQuery, requireMethod} from './request-checks.ts';

const token = '110201543:AAHdqTcvCH1vGWJxfSeofSAs0K5PALDsaw';
const chats = ['-1001234567890', '987654321'];
const topics = ['42'];

const body = z.strictObject({
	business_connection_id: anything,
	chat_id: z.union([z.number().int(), z.string()]),
	message_thread_id: z.number().int().optional(),
	direct_messages_topic_id: anything,
	text: z.string(),
	parse_mode: z.enum(['MarkdownV2', 'HTML', 'Markdown']).optional(),
	entities: anything,
	link_preview_options: z.looseObject({is_disabled: z.boolean().optional()}).optional(),
	disable_notification: z.boolean().optional(),
	protect_content: z.boolean().optional(),
	allow_paid_broadcast: anything,
	message_effect_id: anything,
	suggested_post_parameters: anything,
	reply_parameters: anything,
	reply_markup: anything,
});

const failed = (code: number, description: string, parameters?: object): PlatformAnswer => ({
	status: code,
	body: {ok: false, error_code: code, description, ...(parameters && {parameters})},
});
const badRequest = (description: string) => failed(400, `Bad Request: ${description}`);

/** Opens a pretended `api.telegram.org` with one bot, a forum and a private chat. */
export const openTelegram: OpenPlatform = async () => {
	const served = await servePlatform({
		guard: checkToken,
		aside: request => {
			return request.path.endsWith('/getMe')
				? {
						status: 200,
						body: {ok: true, result: {id: 110201543, is_bot: true, first_name: 'Sluice', username: 'sluice_bot'}},
					}
				: undefined;
		},
		read,
		accept: (message, position) => ({
			status: 200,
			body: {ok: true, result: {message_id: position, date: 0, chat: {id: Number(message.chat)}, text: message.text}},
		}),
		trouble: trouble => {
			switch (trouble.kind) {
				case 'rate-limited':
					return failed(429, `Too Many Requests: retry after ${trouble.waitSeconds}`, {
						retry_after: trouble.waitSeconds,
					});
				case 'rejected':
					return badRequest('chat not found');
				case 'server-error':
					return failed(502, 'Bad Gateway');
				case 'hidden-error':
					return badRequest('group chat was upgraded to a supergroup chat');
			}
		},
	});
	return {
		...served,
		settings: {token, base_url: served.baseUrl},
		chatId: chats[0]!,
		otherChatId: chats[1]!,
		thread: {message_thread_id: topics[0]!},
	};
};

function checkToken(request: PlatformRequest): void {
	const given = /^\/bot([^/]+)\//.exec(request.path)?.[1];
	insist(given !== undefined, `${request.path}: no token in the path`, failed(404, 'Not Found'));
	insist(given === token, 'the token is wrong', failed(401, 'Unauthorized'));
}

function read(request: PlatformRequest, note: Note) {
	insist(request.path === `/bot${token}/sendMessage`, `${request.path}: no such method`, failed(404, 'Not Found'));
	requireMethod(request, 'POST', badRequest('message text is empty'));
	noteOtherQuery(request, [], note);
	const sent = checked(jsonBody(request, badRequest), body, {refuse: badRequest, note});
	const chat = String(sent.chat_id);
	insist(chats.includes(chat), `no chat ${chat}`, badRequest('chat not found'));
	const thread = sent.message_thread_id === undefined ? undefined : String(sent.message_thread_id);
	const isTopic = thread === undefined || (chat === chats[0] && topics.includes(thread));
	insist(isTopic, `no topic ${thread}`, badRequest('message thread not found'));
	const text = visibleText(sent.text, sent.parse_mode);
	insist(text.trim() !== '', 'the text is empty', badRequest('message text is empty'));
	insist(text.length <= 4096, `${text.length} UTF-16 units`, badRequest('message is too long'));
	return {chat, text, ...(thread !== undefined && {thread})};
}

function visibleText(text: string, mode: string | undefined): string {
	try {
		return mode === 'HTML' ? visibleHtml(text) : mode === 'MarkdownV2' ? visibleMarkdownV2(text) : text;
	} catch (error) {
		const problem = error instanceof Error ? error.message : String(error);
		throw new Refusal(problem, badRequest(`can't parse entities: ${problem}`));
	}
}
