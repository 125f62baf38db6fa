import {z} from 'zod';
import {boolLike} from './bool-like.ts';
import {messagingPlatforms} from './delivery-targets.ts';
import {field} from './field-rule.ts';
import {numberLike} from './number-like.ts';
import {scalar} from './text-like.ts';
import {webhookSchema} from './webhook-schema.ts';

type PlatformName = (typeof messagingPlatforms)[number] | 'github_comment';

/** The keys of each platform beside `enabled`, `home_channel` and `base_url` (spec/decisions.md, D11). */
const ownKeys: Readonly<Record<PlatformName, string>> = {
	telegram: 'token',
	discord: 'token',
	slack: 'token',
	signal: 'account',
	sms: 'account_sid from auth_token',
	whatsapp: 'token phone_number_id',
	matrix: 'token',
	mattermost: 'token',
	homeassistant: 'token service',
	email: 'host user from password',
	dingtalk: 'webhook_url secret',
	feishu: 'app_id app_secret webhook_url secret',
	wecom: 'webhook_url corp_id agent_id secret',
	weixin: 'token account_id',
	bluebubbles: 'password',
	qqbot: 'app_id client_secret token_url',
	github_comment: 'token',
};

const scalarKey = (description: string) => field(scalar, {description, allowed: 'text'}).optional();

function platformSchema(name: PlatformName) {
	const own = Object.fromEntries(
		ownKeys[name].split(' ').map(key => [key, scalarKey(`${name}: ${key.replaceAll('_', ' ')}.`)]),
	);
	return z.strictObject({
		enabled: boolLike('false: the platform is not used.', true),
		home_channel: scalarKey('Where messages go when a delivery names no chat.'),
		base_url: scalarKey('Address of a proxy or of a server of your own.'),
		...(name === 'email'
			? {port: numberLike('SMTP port.', {fallback: 587, minimum: 1, maximum: 65_535, whole: true})}
			: {}),
		...own,
	});
}

/** Each messaging platform by name. */
export const messagingSchemas: Readonly<Record<string, z.ZodObject>> = Object.fromEntries(
	([...messagingPlatforms, 'github_comment'] as const).map(name => [
		name,
		field(platformSchema(name), {description: `Delivery to ${name}.`, allowed: 'a mapping'}),
	]),
);

/** `platforms` as a person writes it. */
export const platformsSchema = field(
	z.strictObject({
		webhook: webhookSchema.optional(),
		...Object.fromEntries(Object.entries(messagingSchemas).map(([name, schema]) => [name, schema.optional()])),
	}),
	{description: 'The webhook receiver and the delivery platforms.', allowed: 'a mapping of platforms'},
);
