import {type Preset} from './preset.ts';

/** Twilio: the address and the sorted fields of the form are signed. */
export const twilio: Preset = {
	title: 'Twilio',
	documentation: 'https://www.twilio.com/docs/usage/webhooks/webhooks-security',
	signature: {header: 'X-Twilio-Signature', algorithm: 'sha1', encoding: 'base64', signed: '{twilio}'},
	deliveryId: {from: 'header', name: 'i-twilio-idempotency-token'},
	answerSeconds: 15,
	answers: {
		acknowledge: {contentType: 'text/xml', text: '<Response/>'},
		nothing: {contentType: 'text/xml', text: '<Response/>'},
		takes: ['text/plain', 'text/xml', 'application/xml'],
		maximumCharacters: 1600,
		later: {by: 'platform', platform: 'sms', chatField: 'From'},
	},
	sample: {
		payload: {MessageSid: 'SM1', From: '+14155550100', To: '+14155550199', Body: 'hello'},
		headers: {'i-twilio-idempotency-token': '3c1c1ea8'},
		event: 'unknown',
		id: '3c1c1ea8',
	},
	steps: [
		'Copy the Auth Token of Account Info into .env as {variable}.',
		'Open the phone number or the messaging service, and enter {address} for incoming messages, with HTTP POST.',
		'Set `url` of `signature` to that address if a proxy changes the name of the host.',
	],
	verified: "the examples of Twilio's documentation and of the tests of its libraries",
};
