import {type Preset} from './preset.ts';

/** Sentry: internal and public integrations. */
export const sentry: Preset = {
	title: 'Sentry',
	documentation: 'https://docs.sentry.io/organization/integrations/integration-platform/webhooks/',
	signature: {header: 'Sentry-Hook-Signature'},
	deliveryId: {from: 'header', name: 'request-id'},
	eventType: {from: 'header', name: 'sentry-hook-resource'},
	answerSeconds: 1,
	sample: {
		payload: {action: 'created', data: {issue: {id: '1', title: 'TypeError'}}},
		headers: {'sentry-hook-resource': 'issue', 'request-id': '2b1c6a34'},
		event: 'issue',
		id: '2b1c6a34',
	},
	steps: [
		'Open Settings, then Developer Settings, and create an internal integration.',
		'Enter {address} as the Webhook URL, and choose the resources.',
		'Copy the client secret into .env as {variable}.',
	],
	verified: 'a vector of RFC 4231 in its header',
};
