import {createHash, randomBytes} from 'node:crypto';

/** The meaning of a button. `0`, `1` and `2` are the numbers of the second step, in their order. */
export type ButtonAction = 'allow' | 'deny' | 'deny-all' | 'hold' | '0' | '1' | '2';

const letters: Readonly<Record<ButtonAction, string>> = {
	allow: 'a',
	deny: 'd',
	'deny-all': 'D',
	hold: 'h',
	'0': '0',
	'1': '1',
	'2': '2',
};

const actions = new Map(Object.entries(letters).map(([action, letter]) => [letter, action as ButtonAction]));
const nonceBytes = 16;
const form = /^s1:([\w-]{22}):([a-zA-Z\d])$/u;

/** A random value that names a message to its buttons; the journal has its hash alone. */
export function createNonce(): string {
	return randomBytes(nonceBytes).toString('base64url');
}

/** SHA-256 of a random value. */
export function nonceHash(nonce: string): string {
	return createHash('sha256').update(nonce).digest('base64url');
}

/** The value of a button, 26 bytes: platforms allow 64 and more. */
export function buttonValue(nonce: string, action: ButtonAction): string {
	return `s1:${nonce}:${letters[action]}`;
}

/** The random value and the action in the value of a button; undefined for one that no message of ours had. */
export function parseButtonValue(value: string): {readonly nonce: string; readonly action: ButtonAction} | undefined {
	const [, nonce = '', letter = ''] = form.exec(value) ?? [];
	const action = actions.get(letter);
	return action && {nonce, action};
}
