import {type Preset} from './preset.ts';

/** PagerDuty, webhooks V3: one header with signatures of every current secret. */
export const pagerduty: Preset = {
	title: 'PagerDuty',
	documentation: 'https://support.pagerduty.com/main/docs/webhooks',
	signature: {header: 'X-PagerDuty-Signature', separator: ',', prefix: 'v1='},
	deliveryId: {from: 'field', name: 'event.id'},
	eventType: {from: 'field', name: 'event.event_type'},
	sample: {
		payload: {event: {id: '01DPQ', event_type: 'incident.triggered', data: {id: 'P1', title: 'Disk full'}}},
		event: 'incident.triggered',
		id: '01DPQ',
	},
	steps: [
		'Open Integrations, then Generic Webhooks (v3), and add a webhook.',
		'Enter {address} as the URL, and choose the scope and the events.',
		'Copy the signing secret, which is shown once, into .env as {variable}.',
	],
	verified: 'a vector of RFC 4231 in its header',
};
