import {type Preset} from './preset.ts';

/** Bitbucket Cloud and Data Center. */
export const bitbucket: Preset = {
	title: 'Bitbucket',
	documentation: 'https://support.atlassian.com/bitbucket-cloud/docs/manage-webhooks/',
	signature: {header: 'X-Hub-Signature', prefix: 'sha256='},
	deliveryId: {from: 'header', name: 'x-request-uuid'},
	eventType: {from: 'header', name: 'x-event-key'},
	answerSeconds: 10,
	timesDocumentation: 'https://support.atlassian.com/bitbucket-cloud/docs/troubleshoot-webhooks/',
	sample: {
		payload: {repository: {full_name: 'a/b'}, push: {changes: [{new: {name: 'main'}}]}},
		headers: {'x-event-key': 'repo:push', 'x-request-uuid': '3a6e4c7b'},
		event: 'repo:push',
		id: '3a6e4c7b',
	},
	steps: [
		'Open Repository settings, then Webhooks, and add a webhook.',
		'Enter {address} as the URL, and choose the triggers.',
		'Generate a secret, and copy it into .env as {variable}.',
	],
	verified: 'the example of its documentation',
};
