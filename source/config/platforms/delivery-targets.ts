/** Every value of `deliver` (docs/webhooks.md, Direct delivery). */
export const deliveryTargetNames = [
	'log',
	'github_comment',
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

/** The same names, for asking whether a text is one of them. */
export const deliveryTargets: readonly string[] = deliveryTargetNames;
