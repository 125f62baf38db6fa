import {type SignaturePreset, type WrittenSignature} from './signature-schema.ts';

/** How providers sign, each as its own documentation says it (docs/webhooks.md, Signature presets). */
export const signaturePresets: Readonly<Record<SignaturePreset, WrittenSignature>> = {
	stripe: {
		header: 'Stripe-Signature',
		separator: ',',
		prefix: 'v1=',
		timestamp_part: 't=',
		signed: '{timestamp}.{body}',
	},
	slack: {
		header: 'X-Slack-Signature',
		prefix: 'v0=',
		timestamp_header: 'X-Slack-Request-Timestamp',
		signed: 'v0:{timestamp}:{body}',
	},
	shopify: {header: 'X-Shopify-Hmac-Sha256', encoding: 'base64'},
	linear: {header: 'Linear-Signature', timestamp_field: 'webhookTimestamp', tolerance: 60},
	pagerduty: {header: 'X-PagerDuty-Signature', separator: ',', prefix: 'v1='},
	discord: {
		header: 'X-Signature-Ed25519',
		algorithm: 'ed25519',
		timestamp_header: 'X-Signature-Timestamp',
		signed: '{timestamp}{body}',
	},
	twilio: {header: 'X-Twilio-Signature', algorithm: 'sha1', encoding: 'base64', signed: '{twilio}'},
	gitea: {header: 'X-Gitea-Signature'},
	sentry: {header: 'Sentry-Hook-Signature'},
	bearer: {header: 'Authorization', algorithm: 'token', prefix: 'Bearer '},
};
