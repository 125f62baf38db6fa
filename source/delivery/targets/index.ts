import {type DeliveryTarget, type TargetName} from '../target.ts';
import {log} from './log.ts';

/** The list of targets. Each except the log is loaded at its first delivery. A name without a target is a type error. */
export const targets = {
	log: async () => log,
	github_comment: async () => (await import('./github-comment.ts')).githubComment,
	telegram: async () => (await import('./telegram.ts')).telegram,
	discord: async () => (await import('./discord.ts')).discord,
	slack: async () => (await import('./slack.ts')).slack,
	signal: async () => (await import('./signal.ts')).signal,
	sms: async () => (await import('./sms.ts')).sms,
	whatsapp: async () => (await import('./whatsapp.ts')).whatsapp,
	matrix: async () => (await import('./matrix.ts')).matrix,
	mattermost: async () => (await import('./mattermost.ts')).mattermost,
	homeassistant: async () => (await import('./homeassistant.ts')).homeassistant,
	email: async () => (await import('./email.ts')).email,
	dingtalk: async () => (await import('./dingtalk.ts')).dingtalk,
	feishu: async () => (await import('./feishu.ts')).feishu,
	wecom: async () => (await import('./wecom.ts')).wecom,
	weixin: async () => (await import('./weixin.ts')).weixin,
	bluebubbles: async () => (await import('./bluebubbles.ts')).bluebubbles,
	qqbot: async () => (await import('./qqbot.ts')).qqbot,
	teams: async () => (await import('./teams.ts')).teams,
	google_chat: async () => (await import('./google-chat.ts')).googleChat,
	ntfy: async () => (await import('./ntfy.ts')).ntfy,
	pagerduty: async () => (await import('./pagerduty.ts')).pagerduty,
	caller: async () => (await import('./caller.ts')).caller,
	url: async () => (await import('./url.ts')).url,
} as const satisfies {readonly [Name in TargetName]: () => Promise<DeliveryTarget & {readonly name: Name}>};
