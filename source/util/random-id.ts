import {randomFillSync} from 'node:crypto';

const idBytes = 6;

/** Random bytes are fetched for many ids at once: a call for each would cost more than the rest of an id. */
const pool = Buffer.alloc(idBytes * 256);
let used = pool.length;

/** A new identifier: twelve hexadecimal digits, short enough to read aloud and type. */
export function randomId(): string {
	if (used === pool.length) {
		randomFillSync(pool);
		used = 0;
	}

	used += idBytes;
	return pool.toString('hex', used - idBytes, used);
}
