import {randomUUID} from 'node:crypto';

/** A fresh identifier: twelve hexadecimal digits, short enough to be read aloud and typed. */
export function randomId(): string {
	// The first 48 bits of a UUID of version 4 are random; Node.js draws UUIDs in advance, which makes them cheap.
	const [first = '', second = ''] = randomUUID().split('-');
	return first + second;
}
