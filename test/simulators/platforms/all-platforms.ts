import {openBluebubbles} from './bluebubbles.ts';
import {openDingtalk} from './dingtalk.ts';
import {openDiscord} from './discord.ts';
import {openEmail} from './email.ts';
import {openFeishuWebhook} from './feishu-webhook.ts';
import {openFeishu} from './feishu.ts';
import {openGoogleChat} from './google-chat.ts';
import {openGithubComment} from './github-comment.ts';
import {openHomeassistant} from './homeassistant.ts';
import {openMatrix} from './matrix.ts';
import {openMattermost} from './mattermost.ts';
import {type OpenPlatform} from './platform-simulator.ts';
import {openNtfy} from './ntfy.ts';
import {openPagerduty} from './pagerduty.ts';
import {openQqbot} from './qqbot.ts';
import {openSignal} from './signal.ts';
import {openSlack} from './slack.ts';
import {openSms} from './sms.ts';
import {openTeams} from './teams.ts';
import {openTelegram} from './telegram.ts';
import {openUrl} from './url.ts';
import {openWecomWebhook} from './wecom-webhook.ts';
import {openWecom} from './wecom.ts';
import {openWeixin} from './weixin.ts';
import {openWhatsapp} from './whatsapp.ts';

/** Every simulator by its target's name; a second way in has a suffix (`feishu-webhook`, `wecom-webhook`). */
export const allPlatforms = {
	telegram: openTelegram,
	discord: openDiscord,
	slack: openSlack,
	signal: openSignal,
	sms: openSms,
	whatsapp: openWhatsapp,
	matrix: openMatrix,
	mattermost: openMattermost,
	homeassistant: openHomeassistant,
	email: openEmail,
	dingtalk: openDingtalk,
	feishu: openFeishu,
	'feishu-webhook': openFeishuWebhook,
	wecom: openWecom,
	'wecom-webhook': openWecomWebhook,
	weixin: openWeixin,
	bluebubbles: openBluebubbles,
	qqbot: openQqbot,
	teams: openTeams,
	google_chat: openGoogleChat,
	ntfy: openNtfy,
	pagerduty: openPagerduty,
	url: openUrl,
	github_comment: openGithubComment,
} satisfies Record<string, OpenPlatform>;
