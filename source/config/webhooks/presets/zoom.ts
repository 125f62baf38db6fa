import {type Preset} from './preset.ts';

/** Zoom: the address is verified with a signed challenge, which Sluice signs in return, and again every 72 hours. */
export const zoom: Preset = {
	title: 'Zoom',
	documentation: 'https://developers.zoom.us/docs/api/webhooks/',
	signature: {
		header: 'x-zm-signature',
		prefix: 'v0=',
		timestamp_header: 'x-zm-request-timestamp',
		signed: 'v0:{timestamp}:{body}',
	},
	eventType: {from: 'field', name: 'event'},
	challenge: {kind: 'zoom'},
	answerSeconds: 3,
	// After 5, 30 and 90 minutes.
	retrySeconds: 125 * 60,
	sample: {
		payload: {event: 'meeting.started', event_ts: 1_700_000_000_000, payload: {object: {id: '1', topic: 'Daily'}}},
		event: 'meeting.started',
	},
	steps: [
		'Open your app in the App Marketplace, then Feature, Access. Copy the Secret Token into .env as {variable}.',
		'Start Sluice, then add an event subscription with {address} as the Event notification endpoint URL, and validate it.',
		'Choose the events, and save.',
	],
	verified: 'messages signed with node:crypto after its documentation',
};
