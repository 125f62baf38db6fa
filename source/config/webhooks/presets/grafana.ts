import {type Preset} from './preset.ts';

/** Grafana Alerting, with the HMAC signature that contact points have since Grafana 12. */
export const grafana: Preset = {
	title: 'Grafana',
	documentation:
		'https://grafana.com/docs/grafana/latest/alerting/configure-notifications/manage-contact-points/integrations/webhook-notifier/',
	signature: {
		header: 'X-Grafana-Alerting-Signature',
		timestamp_header: 'X-Grafana-Alerting-Timestamp',
		signed: '{timestamp}:{body}',
	},
	eventType: {from: 'field', name: 'status'},
	sample: {
		payload: {
			receiver: 'sluice',
			status: 'firing',
			alerts: [{status: 'firing', labels: {alertname: 'DiskFull'}, fingerprint: 'c6eadffa'}],
			groupKey: '{}:{alertname="DiskFull"}',
		},
		event: 'firing',
	},
	steps: [
		'Open Alerting, then Contact points, and add one with the integration Webhook.',
		'Enter {address} as the URL.',
		'In HMAC Signature enter a long random text as Secret, the same into .env as {variable}, and X-Grafana-Alerting-Timestamp as Timestamp Header.',
	],
	verified: 'messages signed with node:crypto after its documentation',
};
