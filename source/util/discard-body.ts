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

/** Reads a body and keeps nothing of it. Resolves at its end or at the first limit. Never rejects. */
export function discardBody(body: Readable, options: DiscardOptions): Promise<void> {
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
