/*
Made from https://developer.work.weixin.qq.com/document/path/91770 (key in the query, text of 2,048 bytes, markdown and
markdown_v2 of 4,096 bytes, 20 messages a minute) and https://developer.work.weixin.qq.com/document/path/90313 (codes).
Every error comes inside a 200.
*/
import {z} from 'zod';
import {type OpenPlatform, type ReceivedMessage} from './platform-simulator.ts';
import {type Note, type PlatformAnswer, type PlatformRequest, servePlatform} from './platform-server.ts';
import {bytes, checked, insist, noteOtherQuery, parsedJson, requireMethod, requirePath} from './request-checks.ts';

const key = '693axxx6-7aoc-4bc4-97a0-0ec2sifa5aaa';
const chat = 'the group of the robot';

const kind = z.looseObject({msgtype: z.enum(['text', 'markdown', 'markdown_v2'])});
const mentions = {
	mentioned_list: z.array(z.string()).optional(),
	mentioned_mobile_list: z.array(z.string()).optional(),
};
const text = z.strictObject({msgtype: z.string(), text: z.strictObject({content: z.string(), ...mentions})});
const markdown = z.strictObject({msgtype: z.string(), markdown: z.strictObject({content: z.string()})});
const markdownV2 = z.strictObject({msgtype: z.string(), markdown_v2: z.strictObject({content: z.string()})});

const hint = 'hint: [1635043469_160_1ea1b1d99cd2c82e], from ip: 127.0.0.1';
const failed = (errcode: number, errmsg: string): PlatformAnswer => ({
	status: 200,
	body: {errcode, errmsg: errcode === 0 ? errmsg : `${errmsg}, ${hint}`},
});
const invalid = (problem: string) => failed(40_058, `${problem}. invalid Request Parameter`);

/** Opens a pretended `qyapi.weixin.qq.com` with one group robot. */
export const openWecomWebhook: OpenPlatform = async () => {
	const served = await servePlatform({
		read,
		accept: () => failed(0, 'ok'),
		trouble: trouble => {
			switch (trouble.kind) {
				// No wait is told; the count is kept by the minute.
				case 'rate-limited':
					return failed(45_009, 'api freq out of limit');
				case 'rejected':
					return failed(93_000, 'invalid webhook url');
				case 'server-error':
					return failed(-1, 'system error');
				case 'hidden-error':
					return failed(93_017, 'bot is forbidden');
			}
		},
	});
	return {
		...served,
		settings: {webhook_url: `${served.baseUrl}/cgi-bin/webhook/send?key=${key}`},
		chatId: chat,
		otherChatId: chat,
	};
};

function read(request: PlatformRequest, note: Note): ReceivedMessage {
	requirePath(request, '/cgi-bin/webhook/send', {status: 404, body: 'Not Found'});
	requireMethod(request, 'POST', failed(43_002, 'require POST method'));
	noteOtherQuery(request, ['key', 'debug'], note);
	insist(request.query.get('key') === key, 'the key is wrong', failed(93_000, 'invalid webhook url'));
	const sent = visible(
		parsedJson(request.body, () => failed(47_001, 'data format error')),
		note,
	);
	insist(sent.trim() !== '', 'the content is empty', failed(44_004, 'empty content'));
	return {chat, text: sent};
}

function visible(value: unknown, note: Note): string {
	const words = {refuse: invalid, note};
	const {msgtype} = checked(value, kind, {refuse: () => failed(40_008, 'invalid message type'), note});
	switch (msgtype) {
		case 'text':
			return short(checked(value, text, words).text.content, 'text.content', 2048);
		case 'markdown':
			return short(checked(value, markdown, words).markdown.content, 'markdown.content', 4096);
		case 'markdown_v2':
			return short(checked(value, markdownV2, words).markdown_v2.content, 'markdown_v2.content', 4096);
	}
}

function short(content: string, name: string, limit: number): string {
	const answer = invalid(`${name} exceed max length ${limit}`);
	insist(bytes(content) <= limit, `${bytes(content)} bytes of ${name}`, answer);
	return content;
}
