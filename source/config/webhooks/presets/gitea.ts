import {type Preset} from './preset.ts';

/** Gitea and Forgejo. */
export const gitea: Preset = {
	title: 'Gitea, Forgejo',
	documentation: 'https://docs.gitea.com/usage/webhooks',
	signature: {header: 'X-Gitea-Signature'},
	deliveryId: {from: 'header', name: 'x-gitea-delivery'},
	eventType: {from: 'header', name: 'x-gitea-event'},
	answerSeconds: 5,
	sample: {
		payload: {ref: 'refs/heads/main', repository: {full_name: 'a/b'}},
		headers: {'x-gitea-event': 'push', 'x-gitea-delivery': 'f6266f16'},
		event: 'push',
		id: 'f6266f16',
	},
	steps: [
		'Open Settings of the repository, then Webhooks, and add a webhook of the kind Gitea.',
		'Enter {address} as the Target URL, POST and application/json.',
		'Enter a long random text as Secret, and the same into .env as {variable}.',
	],
	verified: 'a vector of RFC 4231 in its header',
};
