import {createRequire} from 'node:module';
import {sign} from '@octokit/webhooks-methods';
import {expect, test} from 'vitest';
import {z} from 'zod';
import {secret} from './open-handler.ts';
import {openAdapter} from './open-adapter.ts';
import {webhookConfig} from './webhook-config.ts';

/** Every payload that GitHub's own collection has, by the name of its event. */
const events = z
	.array(z.object({name: z.string(), examples: z.array(z.record(z.string(), z.unknown()))}))
	.parse(createRequire(import.meta.url)('@octokit/webhooks-examples'));
const examples = events.flatMap(({name, examples: payloads}) => payloads.map(payload => ({event: name, payload})));

const config = webhookConfig({
	routes: [
		{
			name: 'github',
			secrets: [secret],
			filters: [
				{kind: 'exists', field: 'repository.full_name', present: true},
				{kind: 'not', filter: {kind: 'equals', field: 'sender.type', value: 'Bot'}},
			],
			prompt: '{event_type} {action} in {repository.full_name} by {sender.login}: {issue.title}',
		},
	],
	rateLimit: 10_000,
});

const textAt = (payload: unknown, ...path: readonly string[]): string | undefined => {
	const found = path.reduce<unknown>((value, name) => Object(value)[name], payload);
	return typeof found === 'string' ? found : undefined;
};

test('GitHub’s own payloads, signed by its own library, pass signature, filter and template', async () => {
	const {url, journal, events: published} = await openAdapter({config});
	expect(examples.length).toBeGreaterThan(300);
	for (const {event, payload} of examples) {
		const body = JSON.stringify(payload, null, 2);
		const response = await fetch(`${url}/webhooks/github`, {
			method: 'POST',
			body,
			headers: {
				'content-type': 'application/json',
				'x-github-event': event,
				'x-hub-signature-256': await sign(secret, body),
			},
		});
		const repository = textAt(payload, 'repository', 'full_name');
		const isWanted = repository !== undefined && textAt(payload, 'sender', 'type') !== 'Bot';
		expect({event, ...Object(await response.json())}).toMatchObject(
			isWanted ? {event, status: 'accepted'} : {status: 'ignored', reason: 'filter'},
		);
		if (isWanted) {
			const [action = '{action}', login = '{sender.login}', title = '{issue.title}'] = [
				textAt(payload, 'action'),
				textAt(payload, 'sender', 'login'),
				textAt(payload, 'issue', 'title'),
			];
			expect(journal.runs.at(-1)?.prompt).toBe(`${event} ${action} in ${repository} by ${login}: ${title}`);
		}
	}

	expect(journal.rows).toHaveLength(examples.length);
	expect(journal.runs.length).toBeGreaterThan(200);
	expect(published.some(one => one.type === 'log')).toBe(false);
});
