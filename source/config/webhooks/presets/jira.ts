import {type Preset} from './preset.ts';

/** Jira Cloud. */
export const jira: Preset = {
	title: 'Jira',
	documentation: 'https://developer.atlassian.com/cloud/jira/platform/webhooks/',
	signature: {header: 'X-Hub-Signature', prefix: 'sha256='},
	deliveryId: {from: 'header', name: 'x-atlassian-webhook-identifier'},
	eventType: {from: 'field', name: 'webhookEvent'},
	answerSeconds: 20,
	// Up to five times, after 5 to 15 minutes each.
	retrySeconds: 75 * 60,
	timesDocumentation: 'https://developer.atlassian.com/cloud/jira/platform/webhooks/#retry-policy',
	sample: {
		payload: {webhookEvent: 'jira:issue_created', issue: {key: 'AB-1', fields: {summary: 'A bug'}}},
		headers: {'x-atlassian-webhook-identifier': 'b0f3'},
		event: 'jira:issue_created',
		id: 'b0f3',
	},
	steps: [
		'Open System of the Jira settings, then WebHooks, and create a webhook.',
		'Enter {address} as the URL, and choose the events.',
		'Generate a secret, and copy it into .env as {variable}.',
	],
	verified: 'the example of its documentation',
};
