import {addressBelow} from '../../net/address-below.ts';
import {extraText} from '../chat.ts';
import {parseDeliveryResponse, textAt} from '../parse-response.ts';
import {quietMentions} from '../dialects.ts';
import {type DeliveryTarget} from '../target.ts';

const identifier = /^[a-z0-9]{26}$/u;
const everyone = /@(?:all|channel|here)\b/giu;

/** Mattermost's `POST /api/v4/posts` (developers.mattermost.com/api-documentation). It accepts Markdown. */
export const mattermost = {
	name: 'mattermost',
	limit: {unit: 'code-points', maximum: 16_000},
	repeat: () => 'safe',
	chat: () => ({kind: 'named', grammar: identifier, words: 'the id of a channel (26 letters and digits)'}),
	refuse: extra =>
		threadOf(extra) === '' || identifier.test(threadOf(extra)) ? undefined : 'root_id is not the id of a post',
	async send({text, chat, extra, repeatKey}, {settings, call}) {
		const root = threadOf(extra);
		const answer = await call({
			url: addressBelow(settings.baseUrl, ['api', 'v4', 'posts']),
			headers: {Authorization: `Bearer ${settings.token}`},
			json: {
				channel_id: chat,
				message: quietMentions(text, everyone),
				pending_post_id: `sluice:${repeatKey}`,
				...(root === '' ? {} : {root_id: root}),
			},
		});
		return parseDeliveryResponse(answer, (json, {status, headers}) => ({
			isTaken: textAt(json, 'id') !== '' && status === 201,
			words: [textAt(json, 'message'), textAt(json, 'id')].filter(Boolean).join(' '),
			...(status === 429 ? {waitSeconds: Number(headers.get('x-ratelimit-reset') ?? 0)} : {}),
		}));
	},
} satisfies DeliveryTarget & {readonly name: 'mattermost'};

function threadOf(extra: Parameters<typeof extraText>[0]): string {
	return extraText(extra, 'root_id', 'thread_id');
}
