import {type Preset} from './preset.ts';

/** Prometheus Alertmanager, which sends a bearer token and signs nothing. */
export const alertmanager: Preset = {
	title: 'Prometheus Alertmanager',
	documentation: 'https://prometheus.io/docs/alerting/latest/configuration/#webhook_config',
	signature: {header: 'Authorization', algorithm: 'token', prefix: 'Bearer '},
	eventType: {from: 'field', name: 'status'},
	sample: {
		payload: {
			version: '4',
			status: 'firing',
			groupKey: '{}:{alertname="DiskFull"}',
			alerts: [{status: 'firing', labels: {alertname: 'DiskFull'}, fingerprint: 'c6eadffa'}],
		},
		event: 'firing',
	},
	steps: [
		'Enter a long random text into .env as {variable}, and into a file that Alertmanager can read.',
		'Add a receiver with `webhook_configs`, with {address} as its `url` and that file as `credentials_file` of `authorization` in `http_config`.',
		'Name the receiver in `route`, and reload Alertmanager.',
	],
	verified: 'the header as its documentation has it',
};
