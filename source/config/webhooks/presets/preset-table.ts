import {alertmanager} from './alertmanager.ts';
import {bearer} from './bearer.ts';
import {bitbucket} from './bitbucket.ts';
import {discord} from './discord.ts';
import {dropbox} from './dropbox.ts';
import {gitea} from './gitea.ts';
import {grafana} from './grafana.ts';
import {hubspot} from './hubspot.ts';
import {jira} from './jira.ts';
import {linear} from './linear.ts';
import {meta} from './meta.ts';
import {msgraph} from './msgraph.ts';
import {paddle} from './paddle.ts';
import {pagerduty} from './pagerduty.ts';
import {type Preset} from './preset.ts';
import {pubsub} from './pubsub.ts';
import {sendgrid} from './sendgrid.ts';
import {sentry} from './sentry.ts';
import {shopify} from './shopify.ts';
import {slack} from './slack.ts';
import {sns} from './sns.ts';
import {square} from './square.ts';
import {stripe} from './stripe.ts';
import {telegram} from './telegram.ts';
import {twilio} from './twilio.ts';
import {zoom} from './zoom.ts';

/** The names of the presets, as `signature` takes them. */
export const presetNames = [
	'stripe',
	'slack',
	'shopify',
	'linear',
	'pagerduty',
	'discord',
	'twilio',
	'gitea',
	'sentry',
	'meta',
	'zoom',
	'square',
	'bitbucket',
	'jira',
	'grafana',
	'alertmanager',
	'telegram',
	'paddle',
	'hubspot',
	'sendgrid',
	'dropbox',
	'pubsub',
	'sns',
	'msgraph',
	'bearer',
] as const;

/** The name of a preset. */
export type PresetName = (typeof presetNames)[number];

/** Every preset by its name (docs/providers.md, Presets). */
export const presets: Readonly<Record<PresetName, Preset>> = {
	stripe,
	slack,
	shopify,
	linear,
	pagerduty,
	discord,
	twilio,
	gitea,
	sentry,
	meta,
	zoom,
	square,
	bitbucket,
	jira,
	grafana,
	alertmanager,
	telegram,
	paddle,
	hubspot,
	sendgrid,
	dropbox,
	pubsub,
	sns,
	msgraph,
	bearer,
};
