import {type Preset} from './preset.ts';

/** Square: the address and the body are signed. */
export const square: Preset = {
	title: 'Square',
	documentation: 'https://developer.squareup.com/docs/webhooks/step3validate',
	signature: {header: 'X-Square-HmacSha256-Signature', encoding: 'base64', signed: '{url}{body}'},
	deliveryId: {from: 'field', name: 'event_id'},
	eventType: {from: 'field', name: 'type'},
	answerSeconds: 10,
	retrySeconds: 3 * 86_400,
	timesDocumentation: 'https://developer.squareup.com/docs/webhooks/troubleshooting',
	sample: {
		payload: {merchant_id: 'M1', type: 'payment.updated', event_id: '13b867cf', data: {type: 'payment', id: 'P1'}},
		event: 'payment.updated',
		id: '13b867cf',
	},
	steps: [
		'Open your application in the Developer Console, then Webhooks, Subscriptions, and add a subscription.',
		'Enter {address} as the Notification URL, and choose the events. `url` of `signature` must be exactly that address.',
		'Copy the signature key into .env as {variable}.',
	],
	verified: 'messages signed with node:crypto after its documentation',
};
