import {type Preset} from './preset.ts';

/** Stripe: one header with a time and signatures of every current secret. */
export const stripe: Preset = {
	title: 'Stripe',
	documentation: 'https://docs.stripe.com/webhooks',
	signature: {
		header: 'Stripe-Signature',
		separator: ',',
		prefix: 'v1=',
		timestamp_part: 't=',
		signed: '{timestamp}.{body}',
	},
	deliveryId: {from: 'field', name: 'id'},
	eventType: {from: 'field', name: 'type'},
	retrySeconds: 3 * 86_400,
	sample: {
		payload: {id: 'evt_1', object: 'event', type: 'invoice.paid', data: {object: {id: 'in_1', amount_paid: 1000}}},
		event: 'invoice.paid',
		id: 'evt_1',
	},
	steps: [
		'Open Workbench, then Webhooks, and add an event destination.',
		'Choose the events, then Webhook endpoint, and enter {address} as its URL.',
		'Copy the signing secret, which begins with whsec_, into .env as {variable}.',
	],
	verified: 'messages signed by its library `stripe`',
};
