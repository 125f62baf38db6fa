/** What completion offers for a word or for the value of a flag. */
export type Completes = 'server' | 'route' | 'profile' | 'target' | 'event' | 'directory' | 'file' | readonly string[];

type Flag = {
	readonly type: 'string' | 'number' | 'boolean';
	readonly shortFlag?: string;
	readonly default?: boolean;
	readonly isMultiple?: boolean;
	/** Its value may be left out and is empty then. */
	readonly mayStandAlone?: boolean;
	/** Shown for the value in the help. */
	readonly value?: string;
	readonly summary: string;
	/** Global flags belong to every command. */
	readonly scope?: 'global';
	readonly completes?: Completes;
};

/** Every flag of the program, camelCase: how it is parsed, what the help says, what completion offers. */
export const flagTable = {
	home: {
		type: 'string',
		scope: 'global',
		value: 'DIR',
		summary: 'State directory (default: $SLUICE_HOME, else ~/.sluice)',
		completes: 'directory',
	},
	profile: {
		type: 'string',
		scope: 'global',
		value: 'NAME',
		summary: 'One profile alone; it lives in profiles/NAME of the state directory',
		completes: 'profile',
	},
	tui: {type: 'boolean', default: true, scope: 'global', summary: 'No dashboard, as without a terminal'},
	readOnly: {type: 'boolean', default: false, scope: 'global', summary: 'Show everything, decide nothing'},
	ascii: {type: 'boolean', default: false, scope: 'global', summary: 'Use ASCII characters only'},
	screenReader: {
		type: 'boolean',
		default: false,
		scope: 'global',
		summary: 'Lines instead of a dashboard, questions by number',
	},
	help: {type: 'boolean', shortFlag: 'h', scope: 'global', summary: 'What this command does, with examples'},
	version: {type: 'boolean', shortFlag: 'v', scope: 'global', summary: 'The version'},
	demo: {
		type: 'boolean',
		default: false,
		summary: 'Throw-away state directory with demo servers, webhooks and a scripted client',
	},
	log: {type: 'string', value: 'text|json', summary: 'Form of the lines (default: text)', completes: ['text', 'json']},
	json: {type: 'boolean', summary: 'One JSON document on stdout, messages on stderr'},
	yes: {type: 'boolean', summary: 'Ask nothing, go ahead'},
	env: {
		type: 'string',
		isMultiple: true,
		value: 'NAME=VALUE',
		summary: 'Variable of the program; may be given several times',
	},
	header: {
		type: 'string',
		isMultiple: true,
		value: "'NAME: VALUE'",
		summary: 'Header of every request; may be given several times',
	},
	transport: {
		type: 'string',
		value: 'http|sse',
		summary: 'Transport for the URL (default: http)',
		completes: ['http', 'sse'],
	},
	trust: {
		type: 'string',
		value: 'untrusted|full',
		summary: 'untrusted (default): every tool that may change something asks first',
		completes: ['untrusted', 'full'],
	},
	tools: {type: 'string', value: 'LIST', summary: 'Only these tools: names or globs, separated by commas'},
	probe: {type: 'boolean', default: true, summary: 'Write it without trying it first'},
	keepTokens: {type: 'boolean', summary: 'Leave its tokens and its variables in .env alone'},
	all: {type: 'boolean', summary: 'All of them, without asking which'},
	webhooks: {type: 'boolean', default: true, summary: 'Leave the webhook receiver as it is'},
	host: {type: 'string', value: 'HOST', summary: 'Where webhooks are received (default: 127.0.0.1)'},
	port: {type: 'number', value: 'PORT', summary: 'Port for webhooks (default: 8644)'},
	provider: {
		type: 'string',
		value: 'NAME',
		summary: 'Who serves the model of agent runs',
		completes: ['anthropic', 'openai', 'google', 'openrouter', 'openai-compatible', 'none'],
	},
	model: {type: 'string', value: 'NAME', summary: 'Name of the model'},
	baseUrl: {type: 'string', value: 'URL', summary: 'Address of the model provider'},
	apiKeyEnv: {type: 'string', value: 'NAME', summary: 'Variable that holds the key of the provider, now and later'},
	server: {
		type: 'string',
		value: 'NAME',
		summary: 'Name of a first tool server; its address or command stands behind --',
	},
	offline: {type: 'boolean', summary: 'Look at files only, connect to nothing'},
	flow: {
		type: 'string',
		value: 'device|browser',
		summary: 'Which login: a code for any device, or a browser (default: `oauth.flow`)',
		completes: ['device', 'browser'],
	},
	args: {type: 'string', value: 'JSON', summary: 'Arguments of the call, a JSON object'},
	approve: {type: 'boolean', summary: 'You answer for this one call'},
	message: {type: 'string', value: 'TEXT', summary: 'Why, for the caller'},
	scope: {
		type: 'string',
		value: 'SCOPE',
		summary: 'once (default), session: until the gateway stops, always',
		completes: ['once', 'session', 'always'],
	},
	limit: {type: 'number', value: 'N', summary: 'How many rows, newest first (default: 50)'},
	route: {type: 'string', value: 'NAME', summary: 'Events of one route only', completes: 'route'},
	events: {type: 'string', value: 'LIST', summary: 'Accepted event types, separated by commas'},
	prompt: {type: 'string', value: 'TEMPLATE', summary: 'Prompt of a run, with {fields} of the payload'},
	description: {type: 'string', value: 'TEXT', summary: 'What it is for'},
	deliver: {
		type: 'string',
		mayStandAlone: true,
		value: 'TARGET',
		summary: 'Where the answer goes (default: log)',
		completes: 'target',
	},
	deliverChatId: {type: 'string', value: 'ID', summary: 'Which chat of that target'},
	deliverOnly: {type: 'boolean', summary: 'Deliver the rendered prompt, without a run'},
	cronJob: {type: 'string', value: 'JOB', summary: 'The scheduled job it fires'},
	routeProfile: {type: 'string', value: 'PROFILE', summary: 'The profile that serves it', completes: 'profile'},
	schedule: {type: 'string', value: 'TEXT', summary: 'When the job runs'},
	timeZone: {
		type: 'string',
		value: 'ZONE',
		summary: 'IANA name, for example Europe/Berlin (default: that of this host)',
	},
	skills: {type: 'string', value: 'LIST', summary: 'Skills of the run, separated by commas'},
	toolsets: {type: 'string', value: 'LIST', summary: 'Toolsets of the run, separated by commas'},
	payload: {type: 'string', value: 'JSON', summary: 'Body of the test event'},
	dryRun: {type: 'boolean', summary: 'Show what would become of it, and do nothing'},
	event: {type: 'string', value: 'ID', summary: 'A stored event instead of a made-up one', completes: 'event'},
} as const satisfies Readonly<Record<string, Flag>>;

export type FlagName = keyof typeof flagTable;

/** Names of the flags that belong to every command. */
export const globalFlags: readonly FlagName[] = flagNames().filter(name => 'scope' in flagTable[name]);

/** All flags, in the order of the table. */
export function flagNames(): readonly FlagName[] {
	return Object.keys(flagTable).filter((name): name is FlagName => Object.hasOwn(flagTable, name));
}

/** A flag as one types it: `--dry-run`; a switch that is on by default is typed to put it off. */
export function typedFlag(name: FlagName): string {
	const flag: Flag = flagTable[name];
	return flag.default === true ? `--no-${hyphenated(name)}` : `--${hyphenated(name)}`;
}

/** `dryRun` as `dry-run`. */
export function hyphenated(name: string): string {
	return name.replaceAll(/[A-Z]/gu, letter => `-${letter.toLowerCase()}`);
}

/** A flag with what the help says about it. */
export function describeFlag(name: FlagName): Flag {
	return flagTable[name];
}
