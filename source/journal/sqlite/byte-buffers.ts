import {type StorageRequest} from '../operations/operations.ts';

/** Requests whose bytes lie in a buffer that is transferred with them; none when they have no bytes. */
type Gathered = {readonly requests: readonly StorageRequest[]; readonly buffer?: ArrayBuffer};

/**
The buffers in which the bytes of a batch cross to the journal's thread. It sends them back, and they are used again: a copied body costs the thread
several times as much, and a new buffer this one (docs/performance.md, Webhooks).
*/
type ByteBuffers = {
	/** Copies every argument that is bytes into one buffer. */
	readonly gather: (requests: readonly StorageRequest[]) => Gathered;
	/** Takes back a buffer that came with a reply. */
	readonly giveBack: (buffer: ArrayBuffer) => void;
};

const smallestBytes = 64 * 1024;
/** Several bodies of the largest size by default; what exceeds it is left to the garbage collection. */
const maxKeptBytes = 8 * 1024 * 1024;

/** Creates buffers; none is kept at first. */
export function createByteBuffers(): ByteBuffers {
	const kept: ArrayBuffer[] = [];
	let keptBytes = 0;
	const take = (bytes: number): ArrayBuffer => {
		const index = kept.findIndex(({byteLength}) => byteLength >= bytes);
		const [buffer] = index === -1 ? [] : kept.splice(index, 1);
		keptBytes -= buffer?.byteLength ?? 0;
		// Sizes are powers of two, so that the next batch finds one that fits.
		return buffer ?? new ArrayBuffer(2 ** Math.ceil(Math.log2(Math.max(bytes, smallestBytes))));
	};

	return {
		gather(requests) {
			const moving = requests.flatMap(({args}) => args.filter(arg => arg instanceof Uint8Array));
			const bytes = moving.reduce((sum, {length}) => sum + length, 0);
			if (bytes === 0) {
				return {requests};
			}

			const buffer = take(bytes);
			let from = 0;
			const move = (arg: unknown): unknown => {
				if (!(arg instanceof Uint8Array)) {
					return arg;
				}

				const moved = new Uint8Array(buffer, from, arg.length);
				moved.set(arg);
				from += arg.length;
				return moved;
			};

			return {requests: requests.map(request => ({...request, args: request.args.map(move)})), buffer};
		},
		giveBack(buffer) {
			if (keptBytes + buffer.byteLength <= maxKeptBytes) {
				kept.push(buffer);
				keptBytes += buffer.byteLength;
			}
		},
	};
}
