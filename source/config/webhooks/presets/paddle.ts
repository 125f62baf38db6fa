import {type Preset} from './preset.ts';

/** Paddle Billing. */
export const paddle: Preset = {
	title: 'Paddle',
	documentation: 'https://developer.paddle.com/webhooks/signature-verification',
	signature: {
		header: 'Paddle-Signature',
		separator: ';',
		prefix: 'h1=',
		timestamp_part: 'ts=',
		signed: '{timestamp}:{body}',
	},
	deliveryId: {from: 'field', name: 'event_id'},
	eventType: {from: 'field', name: 'event_type'},
	answerSeconds: 5,
	retrySeconds: 3 * 86_400,
	timesDocumentation: 'https://developer.paddle.com/webhooks/respond-to-webhooks',
	sample: {
		payload: {
			event_id: 'evt_01h',
			event_type: 'transaction.completed',
			notification_id: 'ntf_01h',
			data: {id: 'txn_1'},
		},
		event: 'transaction.completed',
		id: 'evt_01h',
	},
	steps: [
		'Open Developer tools, then Notifications, and create a new destination of the kind Webhook.',
		'Enter {address} as the URL, and choose the events.',
		'Copy the secret key of the destination into .env as {variable}.',
	],
	verified: 'the vectors of the tests of its library `@paddle/paddle-node-sdk`',
};
