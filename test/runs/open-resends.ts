import {once} from 'node:events';
import {connect, createServer, type Socket} from 'node:net';
import {expect, onTestFinished, vi} from 'vitest';
import {readConfigText} from '../../source/config/read/load-config.ts';
import {createDeliver, type Delivery} from '../../source/delivery/deliver.ts';
import {openPlatforms} from '../../source/delivery/open-platforms.ts';
import {type Journal} from '../../source/journal/journal.ts';
import {createOutbox} from '../../source/runs/outbox.ts';
import {type Clock} from '../../source/util/clock.ts';
import {recordEvents} from '../helpers/record-events.ts';
import {openTelegram} from '../simulators/platforms/telegram.ts';

/** Telegram behind a port that can be shut and opened again. */
export async function openAway() {
	const simulator = await openTelegram();
	const open = new Set<Socket>();
	const target = Number(new URL(simulator.baseUrl).port);
	const server = createServer(socket => {
		const behind = connect(target, '127.0.0.1');
		for (const one of [socket, behind]) {
			open.add(one);
			one.on('error', () => undefined).on('close', () => open.delete(one));
		}

		socket.pipe(behind).pipe(socket);
	});
	const listen = async (port: number) => {
		server.listen(port, '127.0.0.1');
		await once(server, 'listening');
	};

	await listen(0);
	const {port} = Object(server.address());
	const leave = async () => {
		const closed = once(server, 'close');
		server.close();
		open.forEach(socket => socket.destroy());
		await closed;
		// The client learns in a turn of its own that its connection has ended.
		await new Promise(resolve => {
			setTimeout(resolve, 20);
		});
	};

	onTestFinished(async () => {
		await (server.listening ? leave() : undefined);
		await simulator.close();
	});
	return {simulator, leave, comeBack: () => listen(port), baseUrl: `http://127.0.0.1:${port}`};
}

/** The outbox of a gateway with Telegram at this address. */
export function openGateway(options: {
	readonly journal: Journal;
	readonly clock: Clock;
	readonly baseUrl: string;
	readonly token?: string;
}) {
	const {journal, clock, baseUrl, token = '110201543:AAHdqTcvCH1vGWJxfSeofSAs0K5PALDsaw'} = options;
	const {publish, ofType} = recordEvents();
	const text = JSON.stringify({platforms: {telegram: {token, base_url: baseUrl, home_channel: '-1001234567890'}}});
	const {config} = readConfigText('config.yaml', text, () => undefined);
	const platforms = openPlatforms({
		clock,
		publish,
		configured: () => config.platforms,
		scope: {variables: () => undefined, expand: written => written},
		learn: () => undefined,
		learnPassing: () => undefined,
		stateFile: async () => ({}),
	});
	onTestFinished(platforms.close);
	const deliver = createDeliver({clock, publish, platforms});
	let found: number | undefined;
	const watched: Journal = {
		...journal,
		async takeDueMessages(limit) {
			found = undefined;
			const messages = await journal.takeDueMessages(limit);
			found = messages.due.length;
			return messages;
		},
	};
	const outbox = createOutbox({journal: watched, clock, publishOf: () => publish, redact: written => written, deliver});
	onTestFinished(outbox.stop);
	const resume = async () => outbox.resume(await outbox.leftBehind(), async () => undefined);
	/** Resolves when nothing is due, so that all that happens next is up to the clock. */
	const waits = () => vi.waitFor(() => expect(found).toBe(0), {interval: 2, timeout: 10_000});
	return {outbox, resume, ofType, waits};
}

/** An answer of five parts. */
export const long = Array.from({length: 700}, (_, line) => `line ${line} of the answer`).join('\n');
/** An answer for Telegram. */
export const answer = (text: string): Delivery => ({
	target: 'telegram',
	text,
	extra: {},
	deliveryId: 'delivery-1',
	route: 'github',
	eventId: 'event-1',
});
/** The newest message. */
export const row = async (journal: Journal) => (await journal.listMessages({limit: 1}))[0];
/** Waits until the newest message is in a state, after so many attempts. */
export const settle = async (journal: Journal, state: string, attempts?: number) =>
	vi.waitFor(
		async () => {
			const found = await row(journal);
			expect([found?.state, attempts === undefined ? undefined : found?.progress?.attempts]).toEqual([state, attempts]);
		},
		{timeout: 10_000, interval: 5},
	);
