import {platformRows} from '../config/platforms/platform-keys.ts';

/** `chat` may be empty while it is set up: private messages are received then, and nothing can be sent to it. */
export type TelegramSettings = {
	readonly platform: 'telegram';
	readonly token: string;
	readonly chat: string;
	/** The address of the API, usually https://api.telegram.org. */
	readonly baseUrl: string;
};

export type SlackSettings = {
	readonly platform: 'slack';
	readonly appToken: string;
	readonly botToken: string;
	readonly team: string;
	readonly channel: string;
	/** The address of the API, usually https://slack.com/api. */
	readonly baseUrl: string;
};

export type NtfySettings = {
	readonly platform: 'ntfy';
	/** The address of the topic. */
	readonly url: string;
	/** Empty: none. */
	readonly token: string;
};

/** The settings that a platform needs to be reached. Approvers, and what is sent, are for the caller. */
export type ChannelSettings = TelegramSettings | SlackSettings | NtfySettings;

/** The keys of a channel as they are configured; only those of its platform are set. */
type ChannelKeys = Readonly<Record<'token' | 'chat' | 'app_token' | 'bot_token' | 'team' | 'channel' | 'url', string>>;

/** The settings of a configured channel. `baseUrl` is in place of the usual address of the API: a proxy, or a server of your own. */
export function channelSettings(
	{platform, keys}: {readonly platform: ChannelSettings['platform']; readonly keys: ChannelKeys},
	baseUrl = '',
): ChannelSettings {
	const {token, chat, team, channel, url, app_token: appToken, bot_token: botToken} = keys;
	switch (platform) {
		case 'telegram':
			return {platform, token, chat, baseUrl: baseUrl || platformRows.telegram.keys.base_url.fallback};
		case 'slack':
			return {
				platform,
				appToken,
				botToken,
				team,
				channel,
				baseUrl: baseUrl || platformRows.slack.keys.base_url.fallback,
			};
		case 'ntfy':
			return {platform, url, token};
	}
}

/** The result of a check. `name` is that of the bot, safe to show. */
export type ChannelCheck =
	| {readonly kind: 'ok'; readonly name: string}
	| {readonly kind: 'problem'; readonly message: string};
