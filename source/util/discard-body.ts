import {type IncomingMessage, type ServerResponse} from 'node:http';
import {type Readable} from 'node:stream';
import {whenAborted} from './abort-signal.ts';
import {type Clock} from './clock.ts';

/** Limits of one discarded body. An abort of `signal` ends it too. */
type DiscardOptions = {
	readonly limitBytes: number;
	readonly milliseconds: number;
	readonly clock: Clock;
	readonly signal: AbortSignal;
};

/** A response that is known as a whole. */
type FullResponse = {
	readonly status: number;
	readonly headers: Readonly<Record<string, string>>;
	readonly text: string;
};

/** A sender reads the response after its body: that much of it is discarded before the connection is closed. */
const discarded = {limitBytes: 32 * 1024 * 1024, milliseconds: 5000};

/** Answers a request whose sender may still be sending, discards the rest of its body and closes the connection. Never rejects. */
export async function answerUnread(
	request: IncomingMessage,
	response: ServerResponse,
	{status, headers, text, ...options}: FullResponse & Pick<DiscardOptions, 'clock' | 'signal'>,
): Promise<void> {
	response.writeHead(status, {'content-length': Buffer.byteLength(text), ...headers, connection: 'close'});
	// The end would make Node.js close the connection.
	response.write(text);
	await discardBody(request, {...discarded, ...options});
	response.end();
}

/** Reads a body and keeps nothing of it. Resolves at its end or at the first limit. Never rejects. */
function discardBody(body: Readable, options: DiscardOptions): Promise<void> {
	const {limitBytes, milliseconds, clock, signal} = options;
	return new Promise(resolve => {
		let size = 0;
		const finish = () => {
			body.off('data', onData).off('end', finish).off('close', finish);
			endWaiting();
			deadline.cancel();
			body.pause();
			resolve();
		};

		const onData = (chunk: Uint8Array) => {
			size += chunk.length;
			if (size > limitBytes) {
				finish();
			}
		};

		const deadline = clock.after(milliseconds, finish);
		const endWaiting = whenAborted(signal, finish);
		// The error listener stays: a connection may still fail afterwards, and that must not be uncaught.
		body.on('data', onData).on('end', finish).on('close', finish).on('error', finish);
		body.resume();
		if (signal.aborted || body.destroyed || body.readableEnded) {
			finish();
		}
	});
}
