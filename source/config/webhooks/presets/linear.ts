import {type Preset} from './preset.ts';

/** Linear: the time is in the signed body. */
export const linear: Preset = {
	title: 'Linear',
	documentation: 'https://linear.app/developers/webhooks',
	signature: {header: 'Linear-Signature', timestamp_field: 'webhookTimestamp', tolerance: 60},
	deliveryId: {from: 'header', name: 'linear-delivery'},
	eventType: {from: 'field', name: 'type'},
	answerSeconds: 5,
	// Again after a minute, an hour and six hours.
	retrySeconds: 8 * 3600,
	sample: {
		payload: {action: 'create', type: 'Issue', data: {id: '1', title: 'A bug'}},
		headers: {'linear-delivery': '234d1a4e'},
		event: 'Issue',
		id: '234d1a4e',
	},
	steps: [
		'Open Settings, then API, then Webhooks, and create a webhook.',
		'Enter {address} as the URL, and choose the resources.',
		'Copy the signing secret into .env as {variable}.',
	],
	verified: 'messages signed with node:crypto after its documentation',
};
