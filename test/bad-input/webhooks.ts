import {readConfigText} from '../../source/config/read/load-config.ts';
import {toSignatureScheme} from '../../source/config/webhooks/signature-scheme.ts';
import {readSubscription} from '../../source/config/webhooks/subscriptions.ts';
import {createListFiles} from '../../source/webhooks/filters/list-file.ts';
import {prepareRoute} from '../../source/webhooks/routes/prepared-route.ts';
import {route} from '../webhooks/webhook-config.ts';
import {type BadInput, inConfig} from './bad-input.ts';

const preparation = {expand: (text: string) => text, lists: createListFiles('')};

const webhookOf = (yaml: string, variables: Readonly<Record<string, string>> = {}) =>
	readConfigText('config.yaml', `platforms: {webhook: ${yaml}}`, name => variables[name]).config;

/** Routes, signatures, secrets and the settings of the receiver. */
export const webhookRows: readonly BadInput[] = [
	inConfig(
		'a preset with a typing mistake',
		'platforms:\n  webhook:\n    enabled: true\n    secret: global\n    routes:\n      gh: {signature: strpe}\n',
		[
			'config_invalid: config.yaml:6:23: platforms.webhook.routes.gh.signature: "strpe" is not a known preset; did you mean "stripe"? Allowed: stripe, slack, shopify, linear, pagerduty, discord, twilio, gitea, sentry, meta, zoom, square, bitbucket, jira, grafana, alertmanager, telegram, paddle, hubspot, sendgrid, dropbox, pubsub, sns, msgraph, bearer, or a mapping with preset, header, field, algorithm, jwt_algorithm, encoding, prefix, separator, timestamp_header, timestamp_part, timestamp_field, signed, tolerance, key, url',
		],
	),
	inConfig(
		'a preset that does not exist',
		'platforms:\n  webhook:\n    enabled: true\n    secret: global\n    routes:\n      gh: {signature: acme}\n',
		[
			'config_invalid: config.yaml:6:23: platforms.webhook.routes.gh.signature: "acme" is not a known preset. Allowed: stripe, slack, shopify, linear, pagerduty, discord, twilio, gitea, sentry, meta, zoom, square, bitbucket, jira, grafana, alertmanager, telegram, paddle, hubspot, sendgrid, dropbox, pubsub, sns, msgraph, bearer, or a mapping with preset, header, field, algorithm, jwt_algorithm, encoding, prefix, separator, timestamp_header, timestamp_part, timestamp_field, signed, tolerance, key, url',
		],
	),
	inConfig(
		'a preset with a typing mistake inside a mapping',
		'platforms:\n  webhook:\n    enabled: true\n    secret: global\n    routes:\n      gh: {signature: {preset: strpe}}\n',
		[
			'config_invalid: config.yaml:6:32: platforms.webhook.routes.gh.signature.preset: "strpe" is not a known preset; did you mean "stripe"? Allowed: stripe, slack, shopify, linear, pagerduty, discord, twilio, gitea, sentry, meta, zoom, square, bitbucket, jira, grafana, alertmanager, telegram, paddle, hubspot, sendgrid, dropbox, pubsub, sns, msgraph, bearer',
		],
	),
	inConfig(
		'a key of a signature with a typing mistake',
		'platforms:\n  webhook:\n    enabled: true\n    secret: global\n    routes:\n      gh: {signature: {hedaer: X-A}}\n',
		[
			'config_invalid: config.yaml:6:23: platforms.webhook.routes.gh.signature: The signature has no header. Set `preset` or `header`',
			'warning config_unknown_key: config.yaml:6:24: platforms.webhook.routes.gh.signature.hedaer: "hedaer" is not a known key; did you mean "header"?',
		],
	),
	inConfig(
		'an algorithm that does not exist',
		'platforms:\n  webhook:\n    enabled: true\n    secret: global\n    routes:\n      gh: {signature: {header: X-A, algorithm: md5}}\n',
		[
			'config_invalid: config.yaml:6:48: platforms.webhook.routes.gh.signature.algorithm: "md5" is not a known algorithm. Allowed: sha256, sha1, sha512, ed25519, ecdsa-sha256, rsa-sha256, jwt, token',
		],
	),
	inConfig(
		'a signature without a header',
		'platforms:\n  webhook:\n    enabled: true\n    secret: global\n    routes:\n      gh: {signature: {encoding: hex}}\n',
		[
			'config_invalid: config.yaml:6:23: platforms.webhook.routes.gh.signature: The signature has no header. Set `preset` or `header`',
		],
	),
	inConfig(
		'a signature with two timestamps',
		'platforms:\n  webhook:\n    enabled: true\n    secret: global\n    routes:\n      gh: {signature: {header: X-A, timestamp_header: X-T, timestamp_field: t, signed: "{timestamp}{body}"}}\n',
		[
			'config_invalid: config.yaml:6:23: platforms.webhook.routes.gh.signature: The signature has more than one timestamp. Keep one of timestamp_header, timestamp_part, timestamp_field',
		],
	),
	inConfig(
		'a signature that does not cover the body',
		'platforms:\n  webhook:\n    enabled: true\n    secret: global\n    routes:\n      gh: {signature: {header: X-A, signed: x}}\n',
		[
			'config_invalid: config.yaml:6:23: platforms.webhook.routes.gh.signature: `signed` does not contain {body}, so the body would not be checked. Add {body}',
		],
	),
	inConfig(
		'a timestamp that is not signed',
		'platforms:\n  webhook:\n    enabled: true\n    secret: global\n    routes:\n      gh: {signature: {header: X-A, timestamp_header: X-T}}\n',
		[
			'config_invalid: config.yaml:6:23: platforms.webhook.routes.gh.signature: The timestamp and `signed` do not match. Use both {timestamp} and a timestamp key, or neither',
		],
	),
	inConfig(
		'a number for a signature',
		'platforms:\n  webhook:\n    enabled: true\n    secret: global\n    routes:\n      gh: {signature: 5}\n',
		[
			'config_invalid: config.yaml:6:23: platforms.webhook.routes.gh.signature: A number is not allowed here. Allowed: stripe, slack, shopify, linear, pagerduty, discord, twilio, gitea, sentry, meta, zoom, square, bitbucket, jira, grafana, alertmanager, telegram, paddle, hubspot, sendgrid, dropbox, pubsub, sns, msgraph, bearer, or a mapping with preset, header, field, algorithm, jwt_algorithm, encoding, prefix, separator, timestamp_header, timestamp_part, timestamp_field, signed, tolerance, key, url',
		],
	),
	inConfig(
		'a target with a typing mistake',
		'platforms:\n  webhook:\n    enabled: true\n    secret: global\n    routes:\n      gh: {deliver: telegrm}\n',
		[
			'unknown_target: config.yaml:6:21: platforms.webhook.routes.gh.deliver: "telegrm" is not a known delivery target; did you mean "telegram"? Allowed: log, github_comment, telegram, discord, slack, signal, sms, whatsapp, matrix, mattermost, homeassistant, email, dingtalk, feishu, wecom, weixin, bluebubbles, qqbot, teams, google_chat, ntfy, pagerduty, url',
		],
	),
	inConfig(
		'a target that does not exist',
		'platforms:\n  webhook:\n    enabled: true\n    secret: global\n    routes:\n      gh: {deliver: pigeon}\n',
		[
			'unknown_target: config.yaml:6:21: platforms.webhook.routes.gh.deliver: "pigeon" is not a known delivery target. Allowed: log, github_comment, telegram, discord, slack, signal, sms, whatsapp, matrix, mattermost, homeassistant, email, dingtalk, feishu, wecom, weixin, bluebubbles, qqbot, teams, google_chat, ntfy, pagerduty, url',
		],
	),
	inConfig(
		'a key of a route with a typing mistake',
		'platforms:\n  webhook:\n    enabled: true\n    secret: global\n    routes:\n      gh: {promt: hello}\n',
		[
			'warning config_unknown_key: config.yaml:6:12: platforms.webhook.routes.gh.promt: "promt" is not a known key; did you mean "prompt"?',
		],
	),
	inConfig(
		'a list for a prompt',
		'platforms:\n  webhook:\n    enabled: true\n    secret: global\n    routes:\n      gh: {prompt: [a]}\n',
		['config_invalid: config.yaml:6:20: platforms.webhook.routes.gh.prompt: A list is not allowed here. Allowed: text'],
	),
	inConfig(
		'a filter with two operators',
		'platforms:\n  webhook:\n    enabled: true\n    secret: global\n    routes:\n      gh: {filters: [{field: a, equals: 1, exists: true}]}\n',
		[
			'warning config_invalid: config.yaml:6:21: platforms.webhook.routes.gh.filters: A filter cannot be read and matches no event. Allowed: a field with one operator, or `all`, `any` or `not` with filters',
		],
	),
	inConfig(
		'a coalesce rule without a key',
		'platforms:\n  webhook:\n    enabled: true\n    secret: global\n    routes:\n      gh: {coalesce: {window_seconds: 5}}\n',
		[
			'config_invalid: config.yaml:6:22: platforms.webhook.routes.gh.coalesce.key: A value is missing here. Allowed: a payload field or a template',
		],
	),
	inConfig(
		'a window that is not a time',
		'platforms:\n  webhook:\n    enabled: true\n    secret: global\n    routes:\n      gh: {coalesce: {key: a, window_seconds: never}}\n',
		[
			'warning config_invalid: config.yaml:6:47: platforms.webhook.routes.gh.coalesce.window_seconds: "never" is not allowed here. Allowed: a number of seconds, more than 0. Using 30',
		],
	),
	inConfig(
		'a route without a name',
		'platforms:\n  webhook:\n    enabled: true\n    secret: global\n    routes:\n      "": {}\n',
		['config_invalid: config.yaml:6:11: platforms.webhook.routes."": The route has no name. Give it one'],
	),
	inConfig(
		'a route with an empty secret',
		'platforms:\n  webhook:\n    enabled: true\n    secret: global\n    routes:\n      gh: {secret: ""}\n',
		['route_without_secret: config.yaml:6:7: platforms.webhook.routes.gh: route gh: No secret is set'],
	),
	inConfig(
		'a secret whose variable is not set',
		'platforms:\n  webhook:\n    enabled: true\n    secret: global\n    routes:\n      gh: {secret: "${GITHUB_SECRET}"}\n',
		[
			'route_without_secret: config.yaml:6:7: platforms.webhook.routes.gh: route gh: The variable GITHUB_SECRET of its secret is not set → Add the line `GITHUB_SECRET=…` to .env, then run `sluice reload`',
		],
	),
	inConfig(
		'no signature on a public host',
		'platforms:\n  webhook:\n    enabled: true\n    secret: global\n    host: 0.0.0.0\n    routes:\n      gh: {secret: INSECURE_NO_AUTH}\n',
		[
			'insecure_public_bind: config.yaml:7:7: platforms.webhook.routes.gh: route gh: INSECURE_NO_AUTH is not allowed on host 0.0.0.0. Allowed hosts: 127.0.0.1, localhost, ::1',
		],
	),
	inConfig(
		'deliver_only to the log',
		'platforms:\n  webhook:\n    enabled: true\n    secret: global\n    routes:\n      gh: {deliver_only: true}\n',
		[
			'deliver_only_without_target: config.yaml:6:7: platforms.webhook.routes.gh: route gh: deliver_only does not work with `deliver: log`. Choose another target',
		],
	),
	inConfig(
		'deliver_only with a cron job',
		'platforms:\n  webhook:\n    enabled: true\n    secret: global\n    routes:\n      gh: {deliver_only: true, deliver: slack, cron_job: daily}\n',
		[
			'deliver_only_with_cron: config.yaml:6:7: platforms.webhook.routes.gh: route gh: cron_job and deliver_only cannot be combined. Remove one of them',
		],
	),
	inConfig(
		'coalesce with a cron job',
		'platforms:\n  webhook:\n    enabled: true\n    secret: global\n    routes:\n      gh: {cron_job: daily, coalesce: {key: a}}\n',
		[
			'coalesce_conflict: config.yaml:6:7: platforms.webhook.routes.gh: route gh: coalesce cannot be combined with deliver_only or cron_job. Remove coalesce, or the other',
		],
	),
	inConfig(
		'a port that is not a number',
		'platforms:\n  webhook:\n    enabled: true\n    secret: global\n    port: http\n    routes:\n      gh: {}\n',
		[
			'warning config_invalid: config.yaml:5:11: platforms.webhook.port: "http" is not allowed here. Allowed: a whole number from 0 to 65535. Using 8644',
		],
	),
	inConfig(
		'a host that is a number',
		'platforms:\n  webhook:\n    enabled: true\n    secret: global\n    host: 5\n    routes:\n      gh: {}\n',
		[
			'config_invalid: config.yaml:5:11: platforms.webhook.host: A number is not allowed here. Allowed: a host name or address',
		],
	),
	inConfig(
		'a setting twice',
		'platforms:\n  webhook:\n    enabled: true\n    secret: global\n    extra: {port: 1}\n    port: 2\n    routes:\n      gh: {}\n',
		[
			'warning config_invalid: config.yaml:6:11: platforms.webhook.port: The key is set here and under `extra`; the one under `extra` is used. Remove this one',
		],
	),
	{
		input: 'a variable WEBHOOK_PORT that is not a port',
		give: () => webhookOf('{}', {WEBHOOK_PORT: 'http'}).problems,
		says: [
			'warning config_invalid: config.yaml:1:22: platforms.webhook.port: The variable WEBHOOK_PORT is "http" and is ignored. Allowed: a port number from 0 to 65535',
		],
	},
	{
		input: 'a variable WEBHOOK_ENABLED that is not a switch',
		give: () => webhookOf('{}', {WEBHOOK_ENABLED: 'maybe'}).problems,
		says: [
			'warning config_invalid: config.yaml:1:22: platforms.webhook.enabled: The variable WEBHOOK_ENABLED is "maybe" and is ignored. Allowed: true or false',
		],
	},
	{
		input: 'a subscription with the name of a route',
		give: () =>
			readSubscription('gh', {}, {webhook: webhookOf('{routes: {gh: {secret: s}}}').webhook, expand: text => text})
				.problems,
		says: [
			'warning route_shadowed: webhook_subscriptions.json: gh: config.yaml has a route with this name, and that one is used',
		],
	},
	{
		input: 'a secret that is not base64',
		give: () => prepareRoute(route({name: 'gh', secrets: ['whsec_%%%']}), preparation).problems,
		says: [
			'route_without_secret: route gh: The secret is not base64 after whsec_. Copy it again from the sender, or use one without whsec_',
		],
	},
	{
		input: 'a secret that is not a public key',
		give: () =>
			prepareRoute(route({name: 'gh', secrets: ['short'], signature: toSignatureScheme('discord')}), preparation)
				.problems,
		says: [
			'route_without_secret: route gh: The secret is not a key for its `signature`. Allowed: a public key of 32 bytes in hex',
		],
	},
];
