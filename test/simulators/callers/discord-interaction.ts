/*
Made from https://docs.discord.com/developers/interactions/receiving-and-responding (the interaction, Ed25519 over time and body, three seconds, the
types of answers, 15 minutes, Edit Original Interaction Response) and https://docs.discord.com/developers/resources/message (2,000 characters).
*/
import {z} from 'zod';
import {providerOf} from '../../webhooks/provider-messages.ts';
import {type GivenAnswer, postWithin, serveLater} from './waiting-caller.ts';

const message = z.strictObject({
	content: z.string().min(1).max(2000),
	flags: z.int().optional(),
	allowed_mentions: z.strictObject({parse: z.array(z.string())}).optional(),
	embeds: z.array(z.unknown()).optional(),
});

const response = z.discriminatedUnion('type', [
	z.strictObject({type: z.literal(4), data: message}),
	z.strictObject({type: z.literal(5), data: z.strictObject({flags: z.int()}).optional()}),
]);

const applicationId = '845027738276462632';
const token = 'aW50ZXJhY3Rpb246MTExOmFiYy1kZWZfZ2hp';

/** A server whose people use a command of an application. */
export async function openDiscordInteractions() {
	let state: 'unanswered' | 'deferred' | 'answered' = 'unanswered';
	const later = await serveLater('discord.com', ({method, path, type, body}) => {
		const isKnown = method === 'PATCH' && path === `/api/v10/webhooks/${applicationId}/${token}/messages/@original`;
		if (!isKnown || state === 'unanswered') {
			return {status: 404, body: '{"message":"Unknown Webhook","code":10015}'};
		}

		const parsed = message.safeParse(JSON.parse(body));
		if (!type.startsWith('application/json') || !parsed.success) {
			return {status: 400, body: '{"message":"Invalid Form Body","code":50035}'};
		}

		state = 'answered';
		return {status: 200, body: JSON.stringify({id: '1', content: parsed.data.content})};
	});
	return {
		later,
		/** The text that the person sees: the message, that the application thinks, or that it did not respond. */
		async use(
			url: string,
			{at, id = '786008729715212338', ...more}: {readonly at: number; readonly id?: string; readonly token?: string},
		): Promise<string> {
			const payload = {
				type: 2,
				version: 1,
				id,
				application_id: applicationId,
				token: more.token ?? token,
				data: {id: '1', name: 'ask', options: [{name: 'question', value: 'weather'}]},
				member: {user: {id: '53908232506183680', username: 'Mason'}},
			};
			const {body, headers} = providerOf('discord').send(JSON.stringify(payload), Math.floor(at / 1000));
			const given = await postWithin(3, url, {headers: {'content-type': 'application/json', ...headers}, body});
			const {seen, next} = read(given);
			state = next;
			return seen;
		},
	};
}

function read(given: GivenAnswer): {readonly seen: string; readonly next: 'unanswered' | 'deferred' | 'answered'} {
	const parsed =
		given.kind === 'answer' && given.status === 200 && given.type.startsWith('application/json')
			? response.safeParse(JSON.parse(given.text))
			: undefined;
	if (!parsed?.success) {
		return {seen: 'The application did not respond', next: 'unanswered'};
	}

	return parsed.data.type === 4
		? {seen: `${parsed.data.data.flags === 64 ? '(only you) ' : ''}${parsed.data.data.content}`, next: 'answered'}
		: {seen: 'thinking…', next: 'deferred'};
}
