import {type Preset} from './preset.ts';

/** Meta: WhatsApp, Messenger, Instagram and pages. A message may have several entries; its id is made of those of all. */
export const meta: Preset = {
	title: 'Meta, WhatsApp',
	documentation: 'https://developers.facebook.com/docs/graph-api/webhooks/getting-started',
	signature: {header: 'X-Hub-Signature-256', prefix: 'sha256='},
	deliveryId: {
		from: 'fields',
		names: [
			'entry.*.changes.*.value.messages.*.id',
			'entry.*.changes.*.value.statuses.*.id',
			'entry.*.changes.*.value.statuses.*.status',
			'entry.*.messaging.*.message.mid',
		],
	},
	eventType: {from: 'field', name: 'entry.0.changes.0.field'},
	challenge: {
		kind: 'parameter',
		method: 'GET',
		parameter: 'hub.challenge',
		tokenParameter: 'hub.verify_token',
		answer: 'text',
	},
	// WhatsApp; other products stop after 36 hours.
	retrySeconds: 7 * 86_400,
	sample: {
		payload: {
			object: 'whatsapp_business_account',
			entry: [
				{
					id: '1',
					changes: [
						{
							field: 'messages',
							value: {messages: [{id: 'wamid.1', from: '14155550100', type: 'text', text: {body: 'hello'}}]},
						},
					],
				},
			],
		},
		event: 'messages',
		id: 'wamid.1',
	},
	steps: [
		'Open your app at developers.facebook.com. Copy App Secret of App settings, Basic, into .env as {variable}.',
		'Enter a long random text into .env as META_VERIFY_TOKEN.',
		'Start Sluice, then open Webhooks of the product, and enter {address} as the Callback URL and the same text as the Verify Token.',
		'Subscribe to the fields, for WhatsApp to `messages`.',
	],
	verified: 'messages signed with node:crypto after its documentation',
};
