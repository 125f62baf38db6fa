/*
Made from https://docs.slack.dev/interactivity/implementing-slash-commands (the form, three seconds, an empty 200, text or JSON) and
https://docs.slack.dev/interactivity/handling-user-interaction#message_responses (`response_url`: five uses within 30 minutes, JSON).
*/
import {createHmac} from 'node:crypto';
import {z} from 'zod';
import {type GivenAnswer, postWithin, serveLater} from './waiting-caller.ts';

const message = z.strictObject({
	text: z.string().min(1).max(40_000),
	response_type: z.enum(['in_channel', 'ephemeral']).optional(),
	replace_original: z.boolean().optional(),
	delete_original: z.boolean().optional(),
	blocks: z.array(z.unknown()).optional(),
});

/** Of `providerOf('slack')`, too. */
const slackSecret = 'a secret of a test';
const usesAllowed = 5;

/** A workspace whose people type a command. `response_url` leads to `later`. */
export async function openSlackCommands() {
	let uses = 0;
	const later = await serveLater('hooks.slack.com', ({method, path, type, body}) => {
		uses++;
		const isKnown = method === 'POST' && path === '/commands/T1/22/abcdefghijkl';
		if (!isKnown || uses > usesAllowed) {
			return {status: 404, body: '{"ok":false,"error":"used_url"}'};
		}

		const isMessage = type.startsWith('application/json') && message.safeParse(JSON.parse(body)).success;
		return isMessage
			? {status: 200, body: '{"ok":true}'}
			: {status: 500, body: '{"ok":false,"error":"invalid_payload"}'};
	});
	return {
		later,
		/** The part of the answer to the command that the person sees. */
		async type(
			url: string,
			{
				at,
				text = 'weather',
				responseUrl = `https://${later.host}/commands/T1/22/abcdefghijkl`,
				signal,
			}: {
				readonly at: number;
				readonly text?: string;
				readonly responseUrl?: string;
				readonly signal?: AbortSignal;
			},
		): Promise<string> {
			const body = new URLSearchParams({
				token: 'gIkuvaNzQIHg97ATvDxqgjtO',
				team_id: 'T1',
				user_id: 'U1',
				command: '/ask',
				text,
				response_url: responseUrl,
				trigger_id: '13345224609.738474920.8088930838d88f008e0',
			}).toString();
			const seconds = Math.floor(at / 1000);
			const signature = createHmac('sha256', slackSecret).update(`v0:${seconds}:${body}`).digest('hex');
			return shown(
				await postWithin(3, url, {
					headers: {
						'content-type': 'application/x-www-form-urlencoded',
						'x-slack-request-timestamp': String(seconds),
						'x-slack-signature': `v0=${signature}`,
					},
					body,
					signal,
				}),
			);
		},
	};
}

function shown(answer: GivenAnswer): string {
	if (answer.kind === 'gave-up') {
		return 'operation_timeout';
	}

	if (answer.status !== 200) {
		return `dispatch_failed ${answer.status} ${answer.text}`;
	}

	if (answer.text === '') {
		return '';
	}

	return answer.type.startsWith('application/json') ? message.parse(JSON.parse(answer.text)).text : answer.text;
}
