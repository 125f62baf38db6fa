import {createHmac} from 'node:crypto';
import {type DemoDelivery} from './demo-deliveries.ts';

/** A delivery as it goes over the wire. */
export type SignedDelivery = {readonly headers: Readonly<Record<string, string>>; readonly body: string};

/** Puts a delivery into the form of its sender and signs it (docs/webhooks.md, Signatures). `now` is milliseconds since the epoch. */
export function signDelivery(
	delivery: DemoDelivery,
	key: {readonly secret: string; readonly now: number},
): SignedDelivery {
	switch (delivery.signature) {
		case 'github':
			return githubDelivery(delivery, key.secret);
		case 'forged':
			return githubDelivery(delivery, `not ${key.secret}`);
		case 'generic-v2':
			return genericDelivery(delivery, key);
	}
}

function githubDelivery(delivery: DemoDelivery, secret: string): SignedDelivery {
	const body = JSON.stringify(delivery.payload);
	return {
		headers: {
			'content-type': 'application/json',
			'x-github-event': delivery.event,
			'x-github-delivery': delivery.deliveryId,
			'x-hub-signature-256': `sha256=${hmac(secret, body)}`,
		},
		body,
	};
}

function genericDelivery(delivery: DemoDelivery, {secret, now}: {secret: string; now: number}): SignedDelivery {
	const body = JSON.stringify({event_type: delivery.event, ...delivery.payload});
	const timestamp = String(Math.floor(now / 1000));
	return {
		headers: {
			'content-type': 'application/json',
			'x-request-id': delivery.deliveryId,
			'x-webhook-timestamp': timestamp,
			'x-webhook-signature-v2': hmac(secret, `${timestamp}.${body}`),
		},
		body,
	};
}

function hmac(secret: string, text: string): string {
	return createHmac('sha256', secret).update(text).digest('hex');
}
