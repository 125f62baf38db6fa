import {type Preset} from './preset.ts';

/** A Telegram bot, which sends the token that was given to `setWebhook` and signs nothing. */
export const telegram: Preset = {
	title: 'Telegram bot',
	documentation: 'https://core.telegram.org/bots/api#setwebhook',
	signature: {header: 'X-Telegram-Bot-Api-Secret-Token', algorithm: 'token'},
	deliveryId: {from: 'field', name: 'update_id'},
	eventType: {from: 'member-name', besides: 'update_id'},
	// Updates are kept for a day.
	retrySeconds: 86_400,
	timesDocumentation: 'https://core.telegram.org/bots/api#getting-updates',
	sample: {
		payload: {update_id: 10_000, message: {message_id: 1, chat: {id: 1, type: 'private'}, text: 'hello'}},
		event: 'message',
		id: '10000',
	},
	steps: [
		'Enter a random text of letters, digits, - and _ into .env as {variable}.',
		'Call `setWebhook` of the Bot API with {address} as `url` and that text as `secret_token`.',
	],
	verified: 'the header as its documentation has it',
};
