import {type Readable} from 'node:stream';
import {type Clock} from '../../util/clock.ts';
import {whenAborted} from '../../util/abort-signal.ts';
import {type BodySlot} from './route-limits.ts';

/** The result of reading a body. `bytes` are exactly as sent. */
type BodyReading =
	| {readonly kind: 'read'; readonly bytes: Uint8Array}
	| {readonly kind: 'too-large'}
	| {readonly kind: 'stalled'}
	/** A newer body took its slot. */
	| {readonly kind: 'displaced'}
	/** The sender disconnected, or its message is malformed. */
	| {readonly kind: 'bad-request'};

/** Limits of size and time. An abort of `signal` ends the reading. */
type ReadBodyOptions = {
	readonly limitBytes: number;
	readonly milliseconds: number;
	readonly clock: Clock;
	readonly signal: AbortSignal;
	/** The declared length; undefined when absent. */
	readonly declaredBytes?: number;
	/** Called for a body that is not here as a whole. */
	readonly takeSlot: () => BodySlot;
};

/**
Reads a body up to `limitBytes`, whatever its declared length; beyond that nothing more is stored or awaited.
The stream stays open, so that a response can still be sent. Never rejects.
*/
export async function readBody(stream: Readable, options: ReadBodyOptions): Promise<BodyReading> {
	// A body in the same packet as the head is available after this, without a slot, listeners or a deadline.
	await Promise.resolve();
	return isWhole(stream, options) ? {kind: 'read', bytes: buffered(stream)} : collect(stream, options);
}

/** True when all declared bytes have arrived; Node.js reads no more than that. The end event comes later and is not needed. */
function isWhole(stream: Readable, {declaredBytes, limitBytes, signal}: ReadBodyOptions): boolean {
	const isHere = stream.readableLength === declaredBytes && declaredBytes <= limitBytes;
	return isHere && !stream.destroyed && !signal.aborted;
}

function buffered(stream: Readable): Uint8Array {
	const bytes: unknown = stream.read();
	return bytes instanceof Uint8Array ? bytes : new Uint8Array();
}

/** Waits for a body that arrives later or in parts. */
function collect(stream: Readable, options: ReadBodyOptions): Promise<BodyReading> {
	const {clock, milliseconds, limitBytes, signal} = options;
	const slot = options.takeSlot();
	return new Promise(resolve => {
		const chunks: Uint8Array[] = [];
		let size = 0;
		const finish = (reading: BodyReading) => {
			stream.off('data', onData).off('end', onEnd).off('close', onClose);
			endWaiting();
			slot.release();
			deadline.cancel();
			stream.pause();
			resolve(reading);
		};

		const onData = (chunk: Uint8Array) => {
			slot.progress();
			size += chunk.length;
			if (size > limitBytes) {
				finish({kind: 'too-large'});
			} else {
				chunks.push(chunk);
			}
		};

		const onEnd = () =>
			finish({kind: 'read', bytes: chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks)});
		const onAbort = () => finish({kind: 'stalled'});
		const onClose = () => finish({kind: 'bad-request'});
		const deadline = clock.after(milliseconds, onAbort);
		const endWaiting = whenAborted(signal, onAbort);
		slot.signal.addEventListener('abort', () => finish({kind: 'displaced'}));
		// The error listener stays: a connection may still fail after reading, and that must not be uncaught.
		stream.on('data', onData).on('end', onEnd).on('close', onClose).on('error', onClose);
		if (signal.aborted) {
			onAbort();
		} else if (stream.destroyed) {
			onClose();
		}
	});
}
