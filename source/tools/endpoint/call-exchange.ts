import {type ServerResponse} from 'node:http';
import {type Clock, type Timer} from '../../util/clock.ts';
import {Problem} from '../../util/problem.ts';
import {endpointLimits} from './limits.ts';

/**
The HTTP response to one call: a single JSON answer, which becomes an event stream at the first message before the answer or when the answer is
long in coming, so that nothing on the way gives up waiting (docs/endpoint.md, How calls are answered).
*/
export type CallExchange = {
	/** Aborts when the client hangs up, and at `cancel`. */
	readonly signal: AbortSignal;
	/** Sends a message before the answer. */
	readonly notify: (message: object) => void;
	/** Sends the answer; a cancelled call gets none. */
	readonly answer: (message: object) => void;
	/** Cancels the call for that reason; its response ends without an answer, as the protocol has it. */
	readonly cancel: (message: string) => void;
};

/** Opens the exchange; `headers` are sent with whatever response there will be. */
export function openCallExchange(
	response: ServerResponse,
	{clock, headers}: {readonly clock: Clock; readonly headers: Readonly<Record<string, string>>},
): CallExchange {
	const controller = new AbortController();
	let phase: 'waiting' | 'streaming' | 'over' = 'waiting';
	let timer: Timer = clock.after(endpointLimits.answerMilliseconds, () => stream());

	const keepAlive = () => {
		timer = clock.after(endpointLimits.keepStreamMilliseconds, keepAlive);
		response.write(': keep-alive\n\n');
	};

	/** Makes the response a stream, if it is not one yet. */
	const stream = () => {
		if (phase === 'waiting') {
			phase = 'streaming';
			timer.cancel();
			timer = clock.after(endpointLimits.keepStreamMilliseconds, keepAlive);
			response.writeHead(200, {...headers, ...streamHeaders}).flushHeaders();
		}
	};

	const end = (message: object | undefined) => {
		const isStream = phase === 'streaming';
		phase = 'over';
		timer.cancel();
		if (response.destroyed) {
			return;
		}

		if (isStream) {
			response.end(message && eventText(message));
		} else if (message) {
			const text = JSON.stringify(message);
			const length = {'content-length': Buffer.byteLength(text)};
			response.writeHead(200, {...headers, 'content-type': 'application/json', ...length}).end(text);
		} else {
			response.writeHead(200, {...headers, ...streamHeaders}).end();
		}
	};

	const cancel = (message: string) => {
		if (phase !== 'over') {
			end(undefined);
			controller.abort(new Problem('cancelled', {message}));
		}
	};

	const hangUp = () => cancel('The client hung up');
	if (response.destroyed) {
		hangUp();
	}

	response.once('close', hangUp);
	return {
		signal: controller.signal,
		notify(message) {
			if (phase !== 'over') {
				stream();
				response.write(eventText(message));
			}
		},
		answer(message) {
			if (phase !== 'over') {
				end(message);
			}
		},
		cancel,
	};
}

const streamHeaders = {
	'content-type': 'text/event-stream',
	'cache-control': 'no-cache, no-transform',
	'x-accel-buffering': 'no',
} as const;

function eventText(message: object): string {
	return `event: message\ndata: ${JSON.stringify(message)}\n\n`;
}
