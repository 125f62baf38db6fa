import {createHmac} from 'node:crypto';
import {expect, test} from 'vitest';
import {runGateway} from '../helpers/running-gateway.ts';

const secret = 'a secret of these tests';
const config = `
platforms:
  webhook:
    enabled: true
    port: 0
    secret: ${secret}
    routes:
      ask: {prompt: 'Answer {question}', respond: {wait: 25, body: 'you said {result}'}}
`;

async function start() {
	const running = await runGateway(config);
	const body = '{"question":"why"}';
	const post = async () => {
		const signature = createHmac('sha256', secret).update(body).digest('hex');
		const response = await fetch(`${running.gateway.webhookUrl()}/webhooks/ask`, {
			method: 'POST',
			body,
			headers: {'content-type': 'application/json', 'x-hub-signature-256': `sha256=${signature}`},
		});
		return `${response.status} ${await response.text()}`;
	};

	const item = async () => {
		const event = await running.eventWhere(one => one.type === 'run.state' && one.state === 'inbox');
		return event.type === 'run.state' ? event.runId : '';
	};

	return {...running, post, item};
}

test('a person answers the caller from the inbox', async () => {
	const {gateway, post, item} = await start();
	const answer = post();
	gateway.send({method: 'runs.answer', params: {id: await item(), text: 'because'}});
	expect(await answer).toBe('200 you said because');
});

test('a stop of the gateway acknowledges it', async () => {
	const {gateway, post, item} = await start();
	const answer = post();
	await item();
	await gateway.stop('a test');
	expect(await answer).toMatch(/^202 \{"status":"accepted"/u);
});
