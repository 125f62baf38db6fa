import {type Preset} from './preset.ts';

/** HubSpot, signature v3. A message is a list of events; its id is made of those of all. */
export const hubspot: Preset = {
	title: 'HubSpot',
	documentation:
		'https://developers.hubspot.com/docs/apps/developer-platform/add-features/webhooks/validating-requests',
	signature: {
		header: 'X-HubSpot-Signature-v3',
		encoding: 'base64',
		timestamp_header: 'X-HubSpot-Request-Timestamp',
		signed: '{method}{url}{body}{timestamp}',
	},
	deliveryId: {from: 'fields', names: ['*.eventId', '*.subscriptionId', '*.objectId', '*.occurredAt']},
	eventType: {from: 'field', name: '0.subscriptionType'},
	answerSeconds: 5,
	retrySeconds: 86_400,
	timesDocumentation: 'https://developers.hubspot.com/docs/api/webhooks',
	sample: {
		payload: [
			{
				eventId: 1,
				subscriptionId: 12_345,
				portalId: 62_515,
				occurredAt: 1_564_113_600_000,
				subscriptionType: 'contact.creation',
				attemptNumber: 0,
				objectId: 123,
			},
		],
		event: 'contact.creation',
		id: '1 12345 123 1564113600000',
	},
	steps: [
		'Open your app, then Auth, and copy the client secret into .env as {variable}.',
		'Open Webhooks of the app, and enter {address} as the target URL. `url` of `signature` must be exactly that address.',
		'Create the subscriptions, and activate them.',
	],
	verified: 'messages signed with node:crypto after its documentation',
};
