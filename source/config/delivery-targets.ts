/** The messaging platforms that `deliver` and `platforms` may name (spec/webhooks.md, Delivery targets). */
export const messagingPlatforms = [
	'telegram',
	'discord',
	'slack',
	'signal',
	'sms',
	'whatsapp',
	'matrix',
	'mattermost',
	'homeassistant',
	'email',
	'dingtalk',
	'feishu',
	'wecom',
	'weixin',
	'bluebubbles',
	'qqbot',
] as const;

/** Every value of `deliver` (spec/webhooks.md, Delivery targets). */
export const deliveryTargets: readonly string[] = ['log', 'github_comment', ...messagingPlatforms];
