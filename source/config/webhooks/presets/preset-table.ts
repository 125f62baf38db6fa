import {bearer} from './bearer.ts';
import {discord} from './discord.ts';
import {gitea} from './gitea.ts';
import {linear} from './linear.ts';
import {pagerduty} from './pagerduty.ts';
import {type Preset} from './preset.ts';
import {sentry} from './sentry.ts';
import {shopify} from './shopify.ts';
import {slack} from './slack.ts';
import {stripe} from './stripe.ts';
import {twilio} from './twilio.ts';

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
	'bearer',
] as const;

/** The name of a preset. */
export type PresetName = (typeof presetNames)[number];

/** Every preset by its name (docs/providers.md). */
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
	bearer,
};
