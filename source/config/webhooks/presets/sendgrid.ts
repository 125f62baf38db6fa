import {type Preset} from './preset.ts';

/** Twilio SendGrid, the signed event webhook. A message is a list of events; its id is made of those of all. */
export const sendgrid: Preset = {
	title: 'SendGrid',
	documentation:
		'https://www.twilio.com/docs/sendgrid/for-developers/tracking-events/getting-started-event-webhook-security-features',
	signature: {
		header: 'X-Twilio-Email-Event-Webhook-Signature',
		algorithm: 'ecdsa-sha256',
		encoding: 'base64',
		timestamp_header: 'X-Twilio-Email-Event-Webhook-Timestamp',
		signed: '{timestamp}{body}',
	},
	deliveryId: {from: 'fields', names: ['*.sg_event_id']},
	eventType: {from: 'field', name: '0.event'},
	retrySeconds: 86_400,
	timesDocumentation:
		'https://www.twilio.com/docs/sendgrid/for-developers/tracking-events/getting-started-event-webhook',
	sample: {
		payload: [
			{email: 'a@example.com', event: 'bounce', sg_event_id: 'e1'},
			{email: 'b@example.com', event: 'delivered', sg_event_id: 'e2'},
		],
		event: 'bounce',
		id: 'e1 e2',
	},
	steps: [
		'Open Settings, then Mail Settings, Event Webhooks, and create a webhook.',
		'Enter {address} as the Post URL, choose the events, and enable Signed Event Webhook.',
		'Copy the verification key, which is a public key, into .env as {variable}.',
	],
	verified: 'the vectors of the tests of its library `@sendgrid/eventwebhook`',
};
