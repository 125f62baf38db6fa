import {once} from 'node:events';
import {createServer, type IncomingMessage, type ServerResponse} from 'node:http';
import {text} from 'node:stream/consumers';
import {expect, onTestFinished, test} from 'vitest';
import {listenOnFreePort} from '../helpers/free-port.ts';
import {openTelegram} from '../simulators/platforms/telegram.ts';
import {openStopFixture, type Started, stop} from './stop-fixture.ts';

const second = 1000;
const minute = 60 * second;

/** An answer of five messages. */
const long = Array.from({length: 700}, (_, line) => `line ${line} of the answer`).join('\n');

/** Telegram at an address that takes so many messages and then refuses connections until it comes back. */
async function openTelegramThatLeaves(afterMessages: number) {
	const telegram = await openTelegram();
	const forward = async (request: IncomingMessage, response: ServerResponse) => {
		const forwarded = await fetch(`${telegram.baseUrl}${request.url}`, {
			method: request.method ?? 'POST',
			headers: {'content-type': 'application/json'},
			body: await text(request),
		});
		const body = await forwarded.text();
		response.writeHead(forwarded.status, {'content-type': 'application/json', connection: 'close'});
		// It refuses connections before the sender of the last message knows that it arrived.
		if (telegram.received.length === afterMessages) {
			server.close();
		}

		response.end(body);
	};

	const server = createServer((request, response) => {
		forward(request, response).catch(() => response.destroy());
	});
	const port = await listenOnFreePort(server);
	onTestFinished(async () => {
		server.close();
		await telegram.close();
	});
	return {
		telegram,
		settings: {...telegram.settings, base_url: `http://127.0.0.1:${port}`},
		comeBack: async () => {
			server.listen(port, '127.0.0.1');
			await once(server, 'listening');
		},
	};
}

const outcomes = ({events}: Pick<Started, 'events'>) =>
	events.flatMap(event => (event.type === 'delivery.settled' ? [event.outcome] : []));

test('a webhook whose long answer meets a Telegram that is away for ten minutes, with a restart meanwhile, arrives whole, every part once', async () => {
	const {telegram, settings, comeBack} = await openTelegramThatLeaves(3);
	const fixture = await openStopFixture({news: () => long}, {}, {telegram: settings});
	const {clock} = fixture;
	const first = await fixture.start();
	await first.send('report', 'news');
	/** Moves the clock until the deliveries of a gateway have ended so. */
	const ends = (running: Started, expected: readonly string[], step: number) =>
		expect
			.poll(
				async () => {
					await clock.advance(step);
					return outcomes(running);
				},
				{timeout: 20_000, interval: 20},
			)
			.toEqual(expected);
	await expect.poll(() => outcomes(first), {timeout: 10_000}).toEqual(['retrying']);
	expect(telegram.received).toHaveLength(3);
	const leftAt = clock.now();
	await ends(first, ['retrying', 'retrying'], second);
	await stop(first, fixture);

	const restarted = await fixture.start();
	await ends(restarted, ['retrying', 'retrying'], 5 * second);
	await clock.advance(leftAt + 10 * minute - clock.now());
	expect(telegram.received).toHaveLength(3);
	await comeBack();
	await ends(restarted, ['retrying', 'retrying', 'delivered'], 30 * second);
	expect(telegram.received.flatMap(message => message.text.split('\n'))).toEqual(long.split('\n'));
	expect(await fixture.runs()).toEqual({news: 'finished'});
	expect(telegram.faults).toEqual([]);
});
