import {type Preset} from './preset.ts';

/** Google Pub/Sub, push subscriptions with authentication: a JWT of Google names the service account, and the body is not signed. */
export const pubsub: Preset = {
	title: 'Google Pub/Sub',
	documentation: 'https://cloud.google.com/pubsub/docs/authenticate-push-subscriptions',
	signature: {header: 'Authorization', algorithm: 'jwt', prefix: 'Bearer '},
	issuer: {
		issuer: 'https://accounts.google.com',
		jwks: 'https://www.googleapis.com/oauth2/v3/certs',
		email: 'required',
	},
	deliveryId: {from: 'field', name: 'message.messageId'},
	eventType: {from: 'field', name: 'message.attributes.eventType'},
	// The acknowledgement deadline, which a subscription may raise to 600 s.
	answerSeconds: 10,
	retrySeconds: 7 * 86_400,
	timesDocumentation: 'https://cloud.google.com/pubsub/docs/push',
	sample: {
		payload: {
			message: {
				messageId: '136969346945',
				data: 'eyJvYmplY3QiOiJhLnR4dCJ9',
				attributes: {eventType: 'OBJECT_FINALIZE'},
				publishTime: '2026-01-01T00:00:00Z',
			},
			subscription: 'projects/p/subscriptions/s',
		},
		event: 'OBJECT_FINALIZE',
		id: '136969346945',
	},
	steps: [
		'Create a service account for the pushes, and enter its e-mail address into .env as PUBSUB_EMAIL.',
		'Create a subscription of the delivery type Push with {address} as the endpoint, and enable authentication with that service account.',
		'Enter {address} as the audience. `audience` of `secret` must be exactly that text.',
	],
	verified: 'tokens signed with node:crypto after its documentation',
};
