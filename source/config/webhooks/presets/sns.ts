import {type Preset} from './preset.ts';

/** AWS SNS: the proof is in the body, by a certificate that serves all topics of a region, so the route names its topics. */
export const sns: Preset = {
	title: 'AWS SNS',
	documentation: 'https://docs.aws.amazon.com/sns/latest/dg/sns-http-https-endpoint-as-subscriber.html',
	signature: {algorithm: 'sns'},
	deliveryId: {from: 'field', name: 'MessageId'},
	eventType: {from: 'field', name: 'Type'},
	challenge: {kind: 'sns'},
	// The total of any delivery policy; the default one ends after a minute.
	retrySeconds: 3600,
	timesDocumentation: 'https://docs.aws.amazon.com/sns/latest/dg/sns-message-delivery-retries.html',
	sample: {
		payload: {
			Type: 'Notification',
			MessageId: '22b80b92-fdea-4c2c-8f9d-bdfb0c7bf324',
			TopicArn: 'arn:aws:sns:us-west-2:123456789012:MyTopic',
			Subject: 'My First Message',
			Message: 'Hello world!',
			Timestamp: '2026-01-01T00:00:00.000Z',
		},
		event: 'Notification',
		id: '22b80b92-fdea-4c2c-8f9d-bdfb0c7bf324',
	},
	steps: [
		'Open the topic in the Amazon SNS console, and copy its ARN into `topic_arn` of the route. It is no secret.',
		'Start Sluice, then run `sluice webhook handshake sns` on a terminal. It waits 10 minutes for the confirmation.',
		'Create a subscription of the topic with the protocol HTTPS and {address} as the endpoint. Leave raw message delivery off: raw messages have no signature.',
		'Compare the topic that the command shows, and agree. Sluice then fetches the address that confirms the subscription.',
	],
	verified: 'messages signed by AWS, from the tests of its library `aws-sdk-sns`',
};
