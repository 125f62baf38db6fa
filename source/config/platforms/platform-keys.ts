/** A setting of a platform, with its default and the environment variable used when the file lacks the key. */
export type PlatformKey = {readonly variables?: readonly string[]; readonly fallback?: string};

type PlatformRow = {
	/** Settings by their key in the file, besides `enabled`. */
	readonly keys: Readonly<Record<string, PlatformKey>>;
	/** Sets of required keys; the platform is usable when one set is complete. */
	readonly complete: ReadonlyArray<readonly string[]>;
	/** Keys that hold a URL. */
	readonly addresses: readonly string[];
};

const from = (...variables: string[]): PlatformKey => ({variables});

/** Every delivery platform (docs/delivery.md, Platforms). */
export const platformRows = {
	github_comment: {
		keys: {token: from('GH_TOKEN', 'GITHUB_TOKEN'), base_url: {}, home_channel: {}},
		complete: [[]],
		addresses: ['base_url'],
	},
	telegram: {
		keys: {
			token: from('TELEGRAM_BOT_TOKEN'),
			home_channel: from('TELEGRAM_HOME_CHANNEL'),
			base_url: {fallback: 'https://api.telegram.org'},
		},
		complete: [['token']],
		addresses: ['base_url'],
	},
	discord: {
		keys: {
			token: from('DISCORD_BOT_TOKEN'),
			home_channel: from('DISCORD_HOME_CHANNEL'),
			base_url: {fallback: 'https://discord.com/api/v10'},
		},
		complete: [['token']],
		addresses: ['base_url'],
	},
	slack: {
		keys: {
			token: from('SLACK_BOT_TOKEN'),
			home_channel: from('SLACK_HOME_CHANNEL'),
			base_url: {fallback: 'https://slack.com/api'},
		},
		complete: [['token']],
		addresses: ['base_url'],
	},
	signal: {
		keys: {
			account: from('SIGNAL_ACCOUNT'),
			home_channel: from('SIGNAL_HOME_CHANNEL'),
			base_url: {variables: ['SIGNAL_HTTP_URL'], fallback: 'http://127.0.0.1:8080'},
		},
		complete: [['account']],
		addresses: ['base_url'],
	},
	sms: {
		keys: {
			account_sid: from('TWILIO_ACCOUNT_SID'),
			auth_token: from('TWILIO_AUTH_TOKEN'),
			from: from('TWILIO_PHONE_NUMBER'),
			home_channel: from('SMS_HOME_CHANNEL'),
			base_url: {fallback: 'https://api.twilio.com'},
		},
		complete: [['account_sid', 'auth_token', 'from']],
		addresses: ['base_url'],
	},
	whatsapp: {
		keys: {
			token: from('WHATSAPP_TOKEN'),
			phone_number_id: from('WHATSAPP_PHONE_NUMBER_ID'),
			home_channel: from('WHATSAPP_HOME_CHANNEL'),
			base_url: {fallback: 'https://graph.facebook.com/v23.0'},
		},
		complete: [['token', 'phone_number_id']],
		addresses: ['base_url'],
	},
	matrix: {
		keys: {
			token: from('MATRIX_ACCESS_TOKEN'),
			home_channel: from('MATRIX_HOME_ROOM'),
			base_url: from('MATRIX_HOMESERVER'),
		},
		complete: [['base_url', 'token']],
		addresses: ['base_url'],
	},
	mattermost: {
		keys: {
			token: from('MATTERMOST_TOKEN'),
			home_channel: from('MATTERMOST_HOME_CHANNEL'),
			base_url: from('MATTERMOST_URL'),
		},
		complete: [['base_url', 'token']],
		addresses: ['base_url'],
	},
	homeassistant: {
		keys: {
			token: from('HASS_TOKEN'),
			service: {fallback: 'notify.notify'},
			home_channel: from('HASS_HOME_CHANNEL'),
			base_url: from('HASS_URL'),
		},
		complete: [['base_url', 'token']],
		addresses: ['base_url'],
	},
	email: {
		keys: {
			host: from('EMAIL_SMTP_HOST'),
			port: {variables: ['EMAIL_SMTP_PORT'], fallback: '587'},
			user: from('EMAIL_ADDRESS'),
			password: from('EMAIL_PASSWORD'),
			from: {},
			ssl_verify: {},
			home_channel: from('EMAIL_HOME_ADDRESS'),
			base_url: {},
		},
		// A relay without a password needs a sender address instead.
		complete: [
			['host', 'user', 'password'],
			['host', 'from'],
		],
		addresses: [],
	},
	dingtalk: {
		keys: {
			webhook_url: from('DINGTALK_WEBHOOK_URL'),
			secret: from('DINGTALK_SECRET'),
			home_channel: {},
			base_url: {},
		},
		complete: [['webhook_url']],
		addresses: ['webhook_url'],
	},
	feishu: {
		keys: {
			app_id: from('FEISHU_APP_ID'),
			app_secret: from('FEISHU_APP_SECRET'),
			webhook_url: {},
			secret: {},
			home_channel: from('FEISHU_HOME_CHANNEL'),
			base_url: {fallback: 'https://open.feishu.cn'},
		},
		complete: [['app_id', 'app_secret'], ['webhook_url']],
		addresses: ['webhook_url', 'base_url'],
	},
	wecom: {
		keys: {
			webhook_url: from('WECOM_WEBHOOK_URL'),
			corp_id: {},
			agent_id: {},
			secret: {},
			home_channel: {},
			base_url: {fallback: 'https://qyapi.weixin.qq.com'},
		},
		complete: [['webhook_url'], ['corp_id', 'agent_id', 'secret']],
		addresses: ['webhook_url', 'base_url'],
	},
	weixin: {
		keys: {
			token: from('WEIXIN_TOKEN'),
			account_id: from('WEIXIN_ACCOUNT_ID'),
			home_channel: from('WEIXIN_HOME_CHANNEL'),
			base_url: from('WEIXIN_BASE_URL'),
		},
		complete: [['base_url', 'token', 'account_id']],
		addresses: ['base_url'],
	},
	bluebubbles: {
		keys: {
			password: from('BLUEBUBBLES_PASSWORD'),
			home_channel: from('BLUEBUBBLES_HOME_CHANNEL'),
			base_url: from('BLUEBUBBLES_SERVER_URL'),
		},
		complete: [['base_url', 'password']],
		addresses: ['base_url'],
	},
	qqbot: {
		keys: {
			app_id: from('QQ_APP_ID'),
			client_secret: from('QQ_CLIENT_SECRET'),
			token_url: {fallback: 'https://bots.qq.com'},
			home_channel: from('QQBOT_HOME_CHANNEL'),
			base_url: {fallback: 'https://api.sgroup.qq.com'},
		},
		complete: [['app_id', 'client_secret']],
		addresses: ['base_url', 'token_url'],
	},
	teams: {
		keys: {webhook_url: from('TEAMS_WEBHOOK_URL'), home_channel: {}, base_url: {}},
		complete: [['webhook_url']],
		addresses: ['webhook_url'],
	},
	google_chat: {
		keys: {webhook_url: from('GOOGLE_CHAT_WEBHOOK_URL'), home_channel: {}, base_url: {}},
		complete: [['webhook_url']],
		addresses: ['webhook_url'],
	},
	ntfy: {
		keys: {
			token: from('NTFY_TOKEN'),
			home_channel: from('NTFY_TOPIC'),
			base_url: {fallback: 'https://ntfy.sh'},
		},
		// A topic that anyone may write to needs no token.
		complete: [['home_channel'], ['token']],
		addresses: ['base_url'],
	},
	pagerduty: {
		keys: {
			routing_key: from('PAGERDUTY_ROUTING_KEY'),
			home_channel: {},
			base_url: {fallback: 'https://events.pagerduty.com'},
		},
		complete: [['routing_key']],
		addresses: ['base_url'],
	},
	// Its endpoints have names of the user's own (`UrlEndpoint`).
	url: {keys: {home_channel: {}, base_url: {}}, complete: [[]], addresses: ['base_url']},
} as const satisfies Readonly<Record<string, PlatformRow>>;

/** A delivery platform: every value of `deliver` but `log`. */
export type PlatformName = keyof typeof platformRows;

/** Every value of `deliver` (docs/webhook-routes.md, Direct delivery). */
export const deliveryTargets: readonly string[] = ['log', ...Object.keys(platformRows)];

/** True for a value of `deliver` that is a platform. */
export function isPlatformName(name: string): name is PlatformName {
	return Object.hasOwn(platformRows, name);
}

/** The entry of a platform in its general type. */
export function platformRow(name: PlatformName): PlatformRow {
	return platformRows[name];
}

type KeysOf<Row> = Row extends {readonly keys: infer Keys} ? keyof Keys : never;
type CamelCase<Text> = Text extends `${infer Head}_${infer Tail}` ? `${Head}${Capitalize<CamelCase<Tail>>}` : Text;

/** The internal name of a setting. */
export type SettingName = CamelCase<KeysOf<(typeof platformRows)[PlatformName]>>;
