import {type Preset} from './preset.ts';

/** Discord: interactions, which have a token and an id, and webhook events, which have neither. */
export const discord: Preset = {
	title: 'Discord',
	documentation: 'https://docs.discord.com/developers/events/webhook-events',
	signature: {
		header: 'X-Signature-Ed25519',
		algorithm: 'ed25519',
		timestamp_header: 'X-Signature-Timestamp',
		signed: '{timestamp}{body}',
	},
	deliveryId: {from: 'field', name: 'id'},
	eventType: {from: 'field', name: 'event.type'},
	challenge: {kind: 'discord'},
	answerSeconds: 3,
	// docs.discord.com/developers/interactions/receiving-and-responding: a token is valid for 15 minutes.
	answers: {
		acknowledge: {contentType: 'application/json', text: '{"type":5}'},
		nothing: {
			contentType: 'application/json',
			text: '{"type":4,"data":{"content":"There is nothing to do.","flags":64}}',
		},
		takes: ['application/json'],
		maximumCharacters: 2000,
		later: {
			by: 'request',
			secretField: 'token',
			host: 'discord.com',
			path: ['api', 'v10', 'webhooks', {field: 'application_id'}, {field: 'token'}, 'messages', '@original'],
			method: 'PATCH',
			members: {allowed_mentions: {parse: []}},
			textMember: 'content',
			messageMember: 'data',
			validSeconds: 900,
		},
	},
	retrySeconds: 600,
	sample: {
		payload: {
			version: 1,
			application_id: '1',
			type: 1,
			event: {type: 'APPLICATION_AUTHORIZED', timestamp: '2026-01-01T00:00:00Z', data: {scopes: ['bot']}},
		},
		event: 'APPLICATION_AUTHORIZED',
	},
	steps: [
		'Open your application at discord.com/developers/applications. Copy Public Key of General Information into .env as {variable}.',
		'Start Sluice, then enter {address} as the Endpoint of Webhooks, or as the Interactions Endpoint URL.',
		'For webhook events, switch Events on, choose them, and save.',
	],
	verified: 'messages signed with node:crypto after its documentation, and a vector of RFC 8032',
};
