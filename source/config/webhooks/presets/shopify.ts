import {type Preset} from './preset.ts';

/** Shopify: the id and the topic are in headers, which the signature does not cover. */
export const shopify: Preset = {
	title: 'Shopify',
	documentation: 'https://shopify.dev/docs/apps/build/webhooks',
	signature: {header: 'X-Shopify-Hmac-Sha256', encoding: 'base64'},
	deliveryId: {from: 'header', name: 'x-shopify-webhook-id'},
	eventType: {from: 'header', name: 'x-shopify-topic'},
	answerSeconds: 5,
	retrySeconds: 4 * 3600,
	timesDocumentation: 'https://shopify.dev/changelog/updates-to-webhook-retry-mechanism',
	sample: {
		payload: {id: 1, email: 'a@example.com', total_price: '10.00'},
		headers: {'x-shopify-topic': 'orders/create', 'x-shopify-webhook-id': 'b54557e4'},
		event: 'orders/create',
		id: 'b54557e4',
	},
	steps: [
		'Open Settings, then Notifications, then Webhooks, and create a webhook.',
		'Choose the event and the format JSON, and enter {address} as the URL.',
		'Copy the signing secret below the list into .env as {variable}. For an app it is the client secret.',
	],
	verified: 'a vector of RFC 4231 in its header',
};
