import {type Readable} from 'node:stream';
import {type Clock} from '../../util/clock.ts';
import {whenAborted} from '../../util/abort-signal.ts';
import {type BodyLimit} from './body-budget.ts';
import {type BodySlot} from './body-slots.ts';

/** The result of reading a body. `bytes` are exactly as sent. */
type BodyReading =
	| {readonly kind: 'read'; readonly bytes: Uint8Array}
	| {readonly kind: 'too-large'}
	| {readonly kind: 'stalled'}
	/** It gave way to another body, because of this limit. */
	| {readonly kind: 'displaced'; readonly limit: BodyLimit}
	/** It cannot be held, because of this limit. */
	| {readonly kind: 'bodies-full'; readonly limit: BodyLimit}
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
		const chunks = createChunks();
		const finish = (reading: BodyReading) => {
			stream.off('data', onData).off('end', onEnd).off('close', onClose);
			endWaiting();
			slot.release();
			deadline.cancel();
			stream.pause();
			resolve(reading);
		};

		const onData = (chunk: Uint8Array) => {
			if (chunks.size() + chunk.length > limitBytes) {
				finish({kind: 'too-large'});
				return;
			}

			const limit = slot.arrived(chunk.length);
			if (limit === undefined) {
				chunks.add(chunk);
			} else {
				finish({kind: 'bodies-full', limit});
			}
		};

		const onEnd = () => finish({kind: 'read', bytes: chunks.whole()});
		const onAbort = () => finish({kind: 'stalled'});
		const onClose = () => finish({kind: 'bad-request'});
		const deadline = clock.after(milliseconds, onAbort);
		const endWaiting = whenAborted(signal, onAbort);
		slot.signal.addEventListener('abort', () => finish({kind: 'displaced', limit: slot.gaveWayFor() ?? 'bodies'}));
		// The error listener stays: a connection may still fail after reading, and that must not be uncaught.
		stream.on('data', onData).on('end', onEnd).on('close', onClose).on('error', onClose);
		if (signal.aborted) {
			onAbort();
		} else if (stream.destroyed) {
			onClose();
		}
	});
}

/** A chunk costs memory beyond its bytes, so small ones are copied together. */
const smallChunkBytes = 2048;
const blockBytes = 8192;

/** The chunks of a body. */
function createChunks() {
	const chunks: Uint8Array[] = [];
	let size = 0;
	/** The last chunk, while it has room. */
	let block: {readonly bytes: Uint8Array; used: number} | undefined;
	const close = () => {
		if (block) {
			chunks.push(block.bytes.subarray(0, block.used));
			block = undefined;
		}
	};

	return {
		size: () => size,
		add(chunk: Uint8Array) {
			size += chunk.length;
			if (chunk.length > smallChunkBytes || size === chunk.length) {
				close();
				chunks.push(chunk);
				return;
			}

			if (block && block.used + chunk.length > blockBytes) {
				close();
			}

			block ??= {bytes: new Uint8Array(blockBytes), used: 0};
			block.bytes.set(chunk, block.used);
			block.used += chunk.length;
		},
		whole(): Uint8Array {
			close();
			return chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks, size);
		},
	};
}
