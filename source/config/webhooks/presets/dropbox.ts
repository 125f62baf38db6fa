import {type Preset} from './preset.ts';

/** Dropbox: a message names the accounts that changed, and nothing else. */
export const dropbox: Preset = {
	title: 'Dropbox',
	documentation: 'https://www.dropbox.com/developers/reference/webhooks',
	signature: {header: 'X-Dropbox-Signature'},
	challenge: {kind: 'parameter', method: 'GET', parameter: 'challenge', answer: 'text'},
	answerSeconds: 10,
	retrySeconds: 600,
	sample: {payload: {list_folder: {accounts: ['dbid:1']}, delta: {users: [1]}}, event: 'unknown'},
	steps: [
		'Open your app in the App Console, and copy the App secret into .env as {variable}.',
		'Start Sluice, then enter {address} as a Webhook URI, and add it.',
	],
	verified: 'messages signed with node:crypto after its documentation',
};
