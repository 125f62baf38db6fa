import {createHmac} from 'node:crypto';

/** The name of an entry of `platforms.url`. */
export const endpointName = /^[\w-]{1,64}$/u;

/** The bytes of a secret: base64 after `whsec_`, else as written. Undefined when it holds no key. */
export function standardKey(secret: string): Buffer | undefined {
	const [, encoded] = /^whsec_([A-Za-z0-9+/]+={0,2})$/u.exec(secret) ?? [];
	const isPlain = secret.trim() !== '' && !secret.startsWith('whsec_');
	return encoded === undefined ? (isPlain ? Buffer.from(secret) : undefined) : Buffer.from(encoded, 'base64');
}

/** The headers of Standard Webhooks (standardwebhooks.com); an id that repeats names the same message. `seconds`: since the epoch. */
export function standardHeaders(
	body: string,
	{id, seconds, secret}: {readonly id: string; readonly seconds: number; readonly secret: string},
): Readonly<Record<string, string>> {
	const key = standardKey(secret);
	const signature = key && createHmac('sha256', key).update(`${id}.${seconds}.${body}`).digest('base64');
	return {
		'webhook-id': id,
		'webhook-timestamp': String(seconds),
		...(signature !== undefined && {'webhook-signature': `v1,${signature}`}),
	};
}
