import {type Preset} from './preset.ts';

/** Slack: events, commands and interactions of an app. The id covers retries of events; commands and interactions have none. */
export const slack: Preset = {
	title: 'Slack',
	documentation: 'https://docs.slack.dev/apis/events-api/',
	signature: {
		header: 'X-Slack-Signature',
		prefix: 'v0=',
		timestamp_header: 'X-Slack-Request-Timestamp',
		signed: 'v0:{timestamp}:{body}',
	},
	deliveryId: {from: 'field', name: 'event_id'},
	eventType: {from: 'field', name: 'event.type'},
	challenge: {kind: 'field', field: 'challenge', when: {field: 'type', equals: 'url_verification'}, answer: 'json'},
	answerSeconds: 3,
	// docs.slack.dev/interactivity/handling-user-interaction: the address takes five answers within 30 minutes.
	answers: {
		acknowledge: {text: ''},
		nothing: {text: ''},
		takes: ['text/plain', 'application/json'],
		maximumCharacters: 4000,
		later: {
			by: 'request',
			secretField: 'response_url',
			host: 'hooks.slack.com',
			method: 'POST',
			members: {},
			textMember: 'text',
			escapes: 'slack',
			validSeconds: 1800,
		},
	},
	// Delayed events, which an app may switch on, come hourly for a day.
	retrySeconds: 86_400,
	sample: {
		payload: {
			type: 'event_callback',
			event_id: 'Ev1',
			event: {type: 'app_mention', user: 'U1', text: 'hello', channel: 'C1'},
		},
		event: 'app_mention',
		id: 'Ev1',
	},
	steps: [
		'Open your app at api.slack.com/apps. Copy Signing Secret of Basic Information into .env as {variable}.',
		'Start Sluice, then open Event Subscriptions, switch events on, and enter {address} as the Request URL.',
		'Choose the bot events, and save.',
	],
	verified: "the example of Slack's documentation",
};
