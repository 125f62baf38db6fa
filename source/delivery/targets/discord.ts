import {addressBelow} from '../../net/address-below.ts';
import {extraText} from '../chat.ts';
import {parseDeliveryResponse, textAt} from '../parse-response.ts';
import {type DeliveryTarget} from '../target.ts';

const snowflake = /^\d{15,20}$/u;

/** Discord's Create Message (discord.com/developers/docs/resources/message#create-message). It accepts Markdown; a thread is a channel. */
export const discord = {
	name: 'discord',
	limit: {unit: 'utf16', maximum: 2000},
	repeat: () => 'safe',
	chat: () => ({kind: 'named', grammar: snowflake, words: 'the id of a channel (digits)'}),
	refuse: extra =>
		['', ...snowflakes(extra)].includes(threadOf(extra)) ? undefined : 'thread_id is not the id of a thread',
	async send({text, chat, extra, repeatKey}, {settings, call}) {
		const answer = await call({
			url: addressBelow(settings.baseUrl, ['channels', threadOf(extra) || chat, 'messages']),
			headers: {
				Authorization: `Bot ${settings.token}`,
				// Discord rejects user agents without this form.
				'User-Agent': 'DiscordBot (https://sluice.dev, 1.0)',
			},
			json: {content: text, allowed_mentions: {parse: []}, nonce: repeatKey, enforce_nonce: true},
		});
		return parseDeliveryResponse(answer, (json, {status}) => ({
			isTaken: textAt(json, 'id') !== '',
			words: [textAt(json, 'message'), textAt(json, 'code') && `code ${textAt(json, 'code')}`]
				.filter(Boolean)
				.join(', '),
			...(isTooFast(status, textAt(json, 'code')) ? {waitSeconds: Number(textAt(json, 'retry_after'))} : {}),
		}));
	},
} satisfies DeliveryTarget & {readonly name: 'discord'};

/** Code 130000 says that the API is overloaded. */
function isTooFast(status: number, code: string): boolean {
	return status === 429 || code === '130000';
}

type Extra = Parameters<typeof extraText>[0];

function threadOf(extra: Extra): string {
	return extraText(extra, 'thread_id', 'message_thread_id');
}

function snowflakes(extra: Extra): readonly string[] {
	return [threadOf(extra)].filter(id => snowflake.test(id));
}
