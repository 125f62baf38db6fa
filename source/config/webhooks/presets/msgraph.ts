import {type Preset} from './preset.ts';

/** Microsoft Graph, change and lifecycle notifications. A message is a list of them, each with the secret; its id is made of those of all. */
export const msgraph: Preset = {
	title: 'Microsoft Graph',
	documentation: 'https://learn.microsoft.com/graph/change-notifications-delivery-webhooks',
	signature: {algorithm: 'token', field: 'value.*.clientState'},
	deliveryId: {from: 'fields', names: ['value.*.id']},
	eventType: {from: 'first-field', names: ['value.0.lifecycleEvent', 'value.0.changeType']},
	challenge: {kind: 'parameter', method: 'POST', parameter: 'validationToken', answer: 'text'},
	answerSeconds: 10,
	retrySeconds: 4 * 3600,
	sample: {
		payload: {
			value: [
				{
					id: 'lsgTZMr9KwAAA',
					subscriptionId: '76222963-cc7b-42d2-882d-8aaa69cb2ba3',
					clientState: 'a secret',
					changeType: 'created',
					resource: "Users('1')/Messages('2')",
					resourceData: {'@odata.type': '#Microsoft.Graph.Message', id: '2'},
				},
			],
		},
		event: 'created',
		id: 'lsgTZMr9KwAAA',
	},
	steps: [
		'Enter a long random text, of at most 128 characters, into .env as {variable}.',
		'Start Sluice, then create the subscription with `POST /subscriptions` of Microsoft Graph: {address} as `notificationUrl`, and as `lifecycleNotificationUrl` if you want lifecycle notifications, and the same text as `clientState`.',
		'Renew the subscription before its `expirationDateTime`. Sluice does not.',
	],
	verified: 'messages as its documentation has them',
};
