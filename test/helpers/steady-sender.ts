import {createHmac} from 'node:crypto';
import {Agent, request} from 'node:http';
import {setTimeout as wait} from 'node:timers/promises';

/** Counts of events by result: a `duplicate` is one whose first answer was lost, `refused` counts requests that have to be tried again, `unanswered` those without an answer. */
export type SenderCounts = {
	posted: number;
	tries: number;
	accepted: number;
	duplicates: number;
	unanswered: number;
	refused: number;
	/** Events that were sent once more after they had been accepted. */
	repeated: number;
};

/** Posts signed events, each until it is answered as accepted, as providers do. Every tenth is sent once more after that. */
export type SteadySender = {
	readonly counts: Readonly<SenderCounts>;
	/** Delivery ids whose acceptance was answered, by whom the event was first accepted or by one who knew it already. */
	readonly answered: ReadonlySet<string>;
	/** Delivery ids that were accepted again. */
	readonly acceptedAgain: readonly string[];
	/** Sends an event once more, to that port. */
	readonly repeat: (number: number, port: number) => Promise<Taken | undefined>;
	/** Posts new events at the rate for so long. */
	readonly post: (seconds: number, rate: number) => Promise<void>;
	/** Resolves when every event is answered. */
	readonly settled: () => Promise<void>;
	readonly close: () => void;
};

/** The answers that accept an event. */
type Taken = 'accepted' | 'duplicate';

/** The delivery id of an event. */
export const deliveryIdOf = (number: number) => `event-${number}`;

/** Creates the sender; events are numbered from 0. */
export function createSteadySender(options: {
	readonly port: number;
	readonly secret: string;
	readonly pathOf: (number: number) => string;
}): SteadySender {
	const {port, secret, pathOf} = options;
	const agent = new Agent({keepAlive: true, maxSockets: 256});
	const counts: SenderCounts = {
		posted: 0,
		tries: 0,
		accepted: 0,
		duplicates: 0,
		unanswered: 0,
		refused: 0,
		repeated: 0,
	};
	const answered = new Set<string>();
	const acceptedAgain: string[] = [];
	const open = new Set<Promise<void>>();

	const send = (number: number, port: number) => {
		const body = JSON.stringify({number, note: 'x'.repeat(number % 300)});
		return postSigned({port, secret, agent, path: pathOf(number)}, deliveryIdOf(number), body);
	};

	const untilTaken = async (number: number): Promise<Taken> => {
		for (;;) {
			counts.tries++;
			const answer = await send(number, port);
			if (answer === 'accepted' || answer === 'duplicate') {
				return answer;
			}

			counts[answer ?? 'unanswered']++;
			// A refused sender tries again after a while: the gateway that is ready by then takes it.
			await wait(300 + Math.random() * 500);
		}
	};

	const deliver = async (number: number) => {
		counts[(await untilTaken(number)) === 'duplicate' ? 'duplicates' : 'accepted']++;
		answered.add(deliveryIdOf(number));
		if (number % 10 === 0) {
			counts.repeated++;
			if ((await untilTaken(number)) === 'accepted') {
				acceptedAgain.push(deliveryIdOf(number));
			}
		}
	};

	return {
		counts,
		answered,
		acceptedAgain,
		async repeat(number, at) {
			const answer = await send(number, at);
			return answer === 'refused' ? undefined : answer;
		},
		async post(seconds, rate) {
			const [startedAt, before] = [performance.now(), counts.posted];
			const elapsed = () => (performance.now() - startedAt) / 1000;
			while (elapsed() < seconds) {
				for (const due = before + Math.floor(elapsed() * rate); counts.posted < due; counts.posted++) {
					const delivery: Promise<void> = deliver(counts.posted).finally(() => open.delete(delivery));
					open.add(delivery);
				}

				// The rate of the sender: what is due by now is posted every 10 ms.
				await wait(10);
			}
		},
		settled: async () => void (await Promise.all(open)),
		close: () => agent.destroy(),
	};
}

/** One signed try; undefined when there was no answer. */
function postSigned(
	{port, secret, agent, path}: {port: number; secret: string; agent: Agent; path: string},
	id: string,
	body: string,
): Promise<Taken | 'refused' | undefined> {
	return new Promise(resolve => {
		const headers = {
			'content-type': 'application/json',
			'content-length': Buffer.byteLength(body),
			'x-request-id': id,
			'x-hub-signature-256': `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`,
		};
		const sent = request({port, host: '127.0.0.1', agent, method: 'POST', path, timeout: 5000, headers}, response => {
			let text = '';
			response.on('data', (chunk: Buffer) => void (text += chunk.toString()));
			response.once('error', () => resolve(undefined));
			response.once('close', () => {
				const status = /"status":"(accepted|coalesced|delivered|duplicate)"/.exec(text)?.[1];
				resolve(status === undefined ? 'refused' : status === 'duplicate' ? status : 'accepted');
			});
		});
		sent.once('timeout', () => sent.destroy());
		sent.once('error', () => resolve(undefined));
		sent.end(body);
	});
}
