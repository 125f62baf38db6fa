import {randomBytes} from 'node:crypto';

/** A fresh identifier: twelve hexadecimal digits, short enough to be read aloud and typed. */
export function randomId(): string {
	return randomBytes(6).toString('hex');
}
