import {createHmac} from 'node:crypto';
import {createServer, type IncomingHttpHeaders} from 'node:http';
import {describe, expect, test} from 'vitest';
import {startDemoSender} from '../../source/demo/demo-sender.ts';
import {createFakeClock} from '../helpers/fake-clock.ts';
import {listen} from '../helpers/loopback.ts';

const secret = 'a secret of the test';
const start = 1_700_000_000_000;

type Received = {path: string; headers: IncomingHttpHeaders; body: string};

/** A gateway that only keeps what it is sent. */
async function startReceiver(answer: 'answers' | 'hangs' = 'answers') {
	const received: Received[] = [];
	const server = createServer((request, response) => {
		const chunks: Buffer[] = [];
		request.on('data', (chunk: Buffer) => chunks.push(chunk));
		request.on('end', () => {
			received.push({path: request.url ?? '', headers: request.headers, body: Buffer.concat(chunks).toString('utf8')});
			if (answer === 'answers') {
				response.end('{}');
			}
		});
	});
	return {received, webhookUrl: await listen(server)};
}

/** Lets the sender send that many deliveries. */
async function receive(count: number): Promise<Received[]> {
	const {received, webhookUrl} = await startReceiver();
	const clock = createFakeClock(start);
	const sender = startDemoSender({clock, webhookUrl, secret});
	for (let sent = 0; sent < count; sent++) {
		await expect.poll(() => clock.open()).toBe(1);
		await clock.advance(4000);
		await expect.poll(() => received.length).toBe(sent + 1);
	}

	await sender.stop();
	return received;
}

function hmac(key: string, text: string): string {
	return createHmac('sha256', key).update(text).digest('hex');
}

describe('the demo sender', () => {
	test('signs as GitHub does', async () => {
		const [first] = await receive(1);
		expect(first).toMatchObject({
			path: '/webhooks/demo-issues',
			headers: {
				'content-type': 'application/json',
				'x-github-event': 'issues',
				'x-github-delivery': 'demo-0',
				'x-hub-signature-256': `sha256=${hmac(secret, first?.body ?? '')}`,
			},
		});
	});

	test('sends one with a signature that does not fit', async () => {
		const third = (await receive(3))[2];
		expect(third?.headers['x-hub-signature-256']).not.toBe(`sha256=${hmac(secret, third?.body ?? '')}`);
	});

	test('signs one with a time stamp, in the generic form', async () => {
		const sixth = (await receive(6))[5];
		const timestamp = String(sixth?.headers['x-webhook-timestamp']);
		expect(Math.abs(Number(timestamp) - start / 1000)).toBeLessThan(60);
		expect([sixth?.headers, JSON.parse(sixth?.body ?? '')]).toMatchObject([
			{
				'x-webhook-signature-v2': hmac(secret, `${timestamp}.${sixth?.body ?? ''}`),
			},
			{event_type: 'issues'},
		]);
	});

	test('goes on when nobody listens', async () => {
		const clock = createFakeClock();
		const sender = startDemoSender({clock, webhookUrl: 'http://127.0.0.1:1', secret});
		await clock.advance(1000);
		await expect.poll(() => clock.open()).toBe(1);
		await sender.stop();
	});

	test('stops although an answer is open', async () => {
		const {received, webhookUrl} = await startReceiver('hangs');
		const clock = createFakeClock();
		const sender = startDemoSender({clock, webhookUrl, secret});
		await clock.advance(1000);
		await expect.poll(() => received.length).toBe(1);
		await sender.stop();
		expect(clock.open()).toBe(0);
	});

	test('gives up on an answer that does not come', async () => {
		const {received, webhookUrl} = await startReceiver('hangs');
		const clock = createFakeClock();
		const sender = startDemoSender({clock, webhookUrl, secret});
		await clock.advance(1000);
		await expect.poll(() => received.length).toBe(1);
		await clock.advance(10_000);
		await clock.advance(4000);
		await expect.poll(() => received.length).toBe(2);
		await sender.stop();
	});
});
