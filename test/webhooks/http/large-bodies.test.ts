import {describe, expect, test} from 'vitest';
import {createFakeClock} from '../../helpers/fake-clock.ts';
import {dial, openAdapter} from '../open-adapter.ts';
import {legacySignature, secret} from '../open-handler.ts';
import {webhookConfig} from '../webhook-config.ts';

const kilobyte = 1024;
const unverifiedBytes = {
	totalBytes: 64 * kilobyte,
	largeFromBytes: kilobyte,
	largeBytes: 40 * kilobyte,
	idleMilliseconds: 1000,
};
const names = ['a', 'b', 'c'];
const config = webhookConfig({
	routes: names.map(name => ({name, secrets: [secret], maxBodyBytes: 25 * kilobyte})),
	maxBodyBytes: kilobyte,
});

/** An adapter with a thousandth of the memory for bodies, and uploads that go on as a test says. */
async function open() {
	const clock = createFakeClock();
	const {url, ofType} = await openAdapter({config, clock, limits: {unverifiedBytes}});
	const begin = (route: string, body: string, signature = legacySignature(secret, body)) => {
		const connection = dial(url);
		const head = [
			`POST /webhooks/${route} HTTP/1.1`,
			'host: x',
			`content-length: ${body.length}`,
			...Object.entries(signature).map(([name, value]) => `${name}: ${value}`),
		];
		connection.socket.write(`${head.join('\r\n')}\r\n\r\n`);
		return {...connection, body, send: (from: number, to?: number) => connection.socket.write(body.slice(from, to))};
	};

	/** Waits until the gateway has read what was sent. */
	const arrived = async () => {
		await new Promise(resolve => setTimeout(resolve, 100));
		await clock.settle();
	};

	return {clock, begin, arrived, rows: () => ofType('webhook.settled')};
}

/** JSON of this many bytes. */
const json = (bytes: number) => `"${'x'.repeat(bytes - 2)}"`;

describe('max_body_bytes of a route', () => {
	test('stands in place of that of the receiver, for a declared and for a real size', async () => {
		const {begin} = await open();
		const whole = begin('a', json(25 * kilobyte));
		whole.send(0);
		await whole.sees('"accepted"');
		const tooLarge = begin('a', json(25 * kilobyte + 1));
		await tooLarge.sees('Payload too large');
		expect([whole.statuses(), tooLarge.statuses()]).toEqual([[202], [413]]);
	});
});

describe('large bodies of unproven senders', () => {
	test('are one a route at a time: the second is asked to come again, and the first goes on', async () => {
		const {begin, arrived, rows} = await open();
		const first = begin('a', json(20 * kilobyte));
		first.send(0, 2 * kilobyte);
		await arrived();
		const second = begin('a', json(20 * kilobyte));
		second.send(0, 2 * kilobyte);
		await second.sees('Busy');
		expect([second.statuses(), second.received().toLowerCase()]).toEqual([
			[503],
			expect.stringContaining('retry-after: 10'),
		]);
		first.send(2 * kilobyte);
		await first.sees('"accepted"');
		expect(rows().map(({status, reason}) => [status, reason])).toEqual([
			[503, 'Busy: another large body of the route was being read'],
			[202, undefined],
		]);
	});

	test('give way once they are idle', async () => {
		const {clock, begin, arrived, rows} = await open();
		const stalled = begin('a', json(20 * kilobyte));
		stalled.send(0, 2 * kilobyte);
		await arrived();
		await clock.advance(1000);
		const next = begin('a', json(20 * kilobyte));
		next.send(0, 10 * kilobyte);
		await stalled.closed;
		next.send(10 * kilobyte);
		await next.sees('"accepted"');
		expect(stalled.statuses()).toEqual([408]);
		expect(rows()[0]?.reason).toBe(
			'Request timeout: stalled for longest while another large body of the route was being read',
		);
	});

	test('have 40 of 64 parts of the memory together, so that small bodies come through', async () => {
		const {begin, arrived, rows} = await open();
		const large = names.map(name => begin(name, json(20 * kilobyte)));
		for (const one of large) {
			one.send(0, 18 * kilobyte);
			await arrived();
		}

		expect(large.map(one => one.statuses())).toEqual([[], [], [503]]);
		expect(rows()[0]?.reason).toMatch(/^Busy: large unproven bodies held /);
		const small = begin('c', json(kilobyte));
		small.send(0, 10);
		await arrived();
		small.send(10);
		await small.sees('"accepted"');
		large.slice(0, 2).forEach(one => one.send(18 * kilobyte));
		await Promise.all(large.slice(0, 2).map(one => one.sees('"accepted"')));
	});

	test('that prove nothing are free again', async () => {
		const {begin, arrived} = await open();
		const forged = begin('a', json(20 * kilobyte), {'x-webhook-signature': '00'});
		forged.send(0, 10 * kilobyte);
		await arrived();
		forged.send(10 * kilobyte);
		await forged.sees('401');
		const next = begin('a', json(20 * kilobyte));
		next.send(0, 10 * kilobyte);
		await arrived();
		next.send(10 * kilobyte);
		await next.sees('"accepted"');
	});
});
