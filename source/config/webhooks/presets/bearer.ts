import {type Preset} from './preset.ts';

/** Any sender that can send `Authorization: Bearer`. */
export const bearer: Preset = {
	title: 'Any sender with a bearer token',
	documentation: 'https://www.rfc-editor.org/rfc/rfc6750',
	signature: {header: 'Authorization', algorithm: 'token', prefix: 'Bearer '},
	sample: {
		payload: {event_type: 'test', message: 'hello'},
		headers: {'x-request-id': 'r-1'},
		event: 'test',
		id: 'r-1',
	},
	steps: [
		'Enter a long random text into .env as {variable}.',
		'Let the sender post JSON to {address} with the header `Authorization: Bearer` and that text.',
	],
	verified: 'the header as RFC 6750 has it',
};
