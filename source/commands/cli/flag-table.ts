import {eventStatuses} from '../../state/work-event.ts';
import {type CompletedKind} from '../../state/json/gateway.ts';

/** Completion of a word or of the value of a flag: names that are looked up, or fixed words. */
export type Completes =
	| CompletedKind
	| 'server'
	| 'route'
	| 'profile'
	| 'target'
	| 'preset'
	| 'directory'
	| 'file'
	| readonly string[];

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
		summary: 'Use only this profile, from profiles/NAME of the state directory',
		completes: 'profile',
	},
	tui: {
		type: 'boolean',
		default: true,
		scope: 'global',
		summary: 'Run without the dashboard, as when there is no terminal',
	},
	readOnly: {
		type: 'boolean',
		default: false,
		scope: 'global',
		summary: 'View only: show everything, decide and change nothing',
	},
	ascii: {type: 'boolean', default: false, scope: 'global', summary: 'Use ASCII characters only'},
	screenReader: {
		type: 'boolean',
		default: false,
		scope: 'global',
		summary: 'Plain lines instead of the dashboard, numbered answers',
	},
	help: {type: 'boolean', shortFlag: 'h', scope: 'global', summary: 'Show help for the command, with examples'},
	version: {type: 'boolean', shortFlag: 'v', scope: 'global', summary: 'Show the version'},
	demo: {
		type: 'boolean',
		default: false,
		summary: 'Temporary state directory with demo servers, webhooks and a scripted client',
	},
	newJournal: {type: 'boolean', summary: 'Make a new journal if the previous one is missing or empty'},
	log: {type: 'string', value: 'text|json', summary: 'Output format (default: text)', completes: ['text', 'json']},
	json: {type: 'boolean', summary: 'Print one JSON document to stdout; messages go to stderr'},
	print: {type: 'boolean', summary: 'Print what would be written, and write nothing'},
	purge: {type: 'boolean', summary: 'Delete the state directory, too'},
	yes: {type: 'boolean', summary: 'Go ahead without asking'},
	env: {
		type: 'string',
		isMultiple: true,
		value: 'NAME=VALUE',
		summary: 'Environment variable for the program; can be repeated',
	},
	passEnv: {
		type: 'string',
		isMultiple: true,
		value: 'NAME',
		summary: 'Variable of .env or of this environment to pass to the program; can be repeated',
	},
	cwd: {type: 'string', value: 'DIR', summary: 'Folder to start the program in', completes: 'directory'},
	envFile: {
		type: 'string',
		value: 'FILE',
		summary: 'File of more variables for the program, read at each start',
		completes: 'file',
	},
	header: {
		type: 'string',
		isMultiple: true,
		value: "'NAME: VALUE'",
		summary: 'Header to send with every request; can be repeated',
	},
	transport: {
		type: 'string',
		value: 'http|sse',
		summary: 'Transport for the URL (default: http)',
		completes: ['http', 'sse'],
	},
	trust: {
		type: 'string',
		mayStandAlone: true,
		value: 'untrusted|full',
		summary: 'untrusted (default): tools that may change something need approval',
		completes: ['untrusted', 'full'],
	},
	stdio: {type: 'boolean', summary: 'Have the program start Sluice and talk over its stdin and stdout (default)'},
	http: {type: 'boolean', summary: 'Have the program connect to gateway.endpoint, with a token of its own'},
	hook: {type: 'boolean', summary: 'Write a hook, too: the program asks in Sluice about its own shell, edits, network'},
	project: {type: 'boolean', summary: 'Settings of the project in the working directory instead of yours'},
	remove: {type: 'boolean', summary: 'Restore the settings of the program'},
	tools: {type: 'string', value: 'LIST', summary: 'Register only these tools: names or globs, comma-separated'},
	probe: {type: 'boolean', default: true, summary: 'Add the server without testing it first'},
	client: {type: 'string', value: 'NAME', summary: 'Name of this client in gateway.endpoint.clients; a claim'},
	keepTokens: {type: 'boolean', summary: 'Keep its tokens and its variables in .env'},
	all: {type: 'boolean', summary: 'Take all of them, without asking which'},
	webhooks: {type: 'boolean', default: true, summary: 'Leave the webhook receiver unchanged'},
	host: {type: 'string', value: 'HOST', summary: 'Host to receive webhooks on (default: 127.0.0.1)'},
	port: {type: 'number', value: 'PORT', summary: 'Port to receive webhooks on (default: 8644)'},
	secret: {type: 'string', value: 'TEXT', summary: 'Global secret that senders sign with (default: a random one)'},
	provider: {
		type: 'string',
		value: 'NAME',
		summary: 'Model provider for agent runs',
		completes: ['anthropic', 'openai', 'google', 'openrouter', 'openai-compatible', 'none'],
	},
	model: {type: 'string', value: 'NAME', summary: 'Model name'},
	baseUrl: {type: 'string', value: 'URL', summary: 'Base URL of the model provider'},
	apiKeyEnv: {type: 'string', value: 'NAME', summary: 'Environment variable that holds the API key of the provider'},
	unattended: {
		type: 'string',
		value: 'deny|hold',
		summary: 'Calls that need an approval while you are away: deny or hold them (default: deny)',
		completes: ['deny', 'hold'],
	},
	server: {type: 'string', value: 'NAME', summary: 'Name of a first tool server; its URL or command comes after --'},
	offline: {type: 'boolean', summary: 'Check files only, without any connections'},
	auth: {
		type: 'string',
		value: 'oauth',
		summary: 'The server needs a login, which is offered at once',
		completes: ['oauth'],
	},
	flow: {
		type: 'string',
		value: 'device|browser',
		summary: 'Log in with a code on any device, or with a browser (default: `oauth.flow`)',
		completes: ['device', 'browser'],
	},
	tool: {type: 'string', value: 'NAME', summary: "The tool's own name at its server"},
	rule: {type: 'string', value: 'JSON', summary: 'One rule, as in config.yaml, to add to the current ones'},
	deny: {type: 'boolean', summary: 'The rule denies'},
	ask: {type: 'boolean', summary: 'The rule asks'},
	allow: {type: 'boolean', summary: 'The rule allows without a question'},
	origin: {
		type: 'string',
		value: 'KIND[:NAME]',
		summary: 'Only calls from a route, job, endpoint, command or person; with a name, only from that one',
	},
	ignore: {
		type: 'string',
		isMultiple: true,
		value: 'NAME',
		summary: 'Argument that may have any value in an allow rule; can be repeated',
	},
	reason: {type: 'string', value: 'TEXT', summary: 'Reason, shown when the rule decides'},
	args: {type: 'string', value: 'JSON', summary: 'Arguments of the call, as a JSON object'},
	approve: {type: 'boolean', summary: 'Approve this one call yourself'},
	message: {type: 'string', value: 'TEXT', summary: 'Reason, shown to the caller'},
	values: {type: 'string', value: 'JSON', summary: 'Values of the form, as a JSON object'},
	decline: {type: 'boolean', summary: 'Decline to answer'},
	cancel: {type: 'boolean', summary: 'Cancel without deciding'},
	happened: {type: 'boolean', summary: 'It took effect'},
	didNotHappen: {type: 'boolean', summary: 'It did not take effect'},
	repeat: {type: 'boolean', summary: 'Show the whole call, ask, and send it again'},
	hash: {
		type: 'string',
		value: 'HASH',
		summary: 'The `arguments_hash` of the request you have read; needed without a terminal',
	},
	scope: {type: 'string', value: 'SCOPE', summary: 'How long the approval applies'},
	limit: {type: 'number', value: 'N', summary: 'Maximum number of rows, newest first (default: 50)'},
	follow: {type: 'boolean', shortFlag: 'f', summary: 'Print new rows as they come, until Ctrl-C'},
	lines: {type: 'number', shortFlag: 'n', value: 'N', summary: 'Number of lines from the end (default: 100)'},
	since: {type: 'string', value: 'TIME', summary: 'Only newer lines: 10m, 2h, 1d, or a time such as 2026-05-04T14:00'},
	until: {type: 'string', value: 'TIME', summary: 'Only older events, as --since'},
	status: {type: 'string', value: 'STATUS', summary: 'Only events with this outcome', completes: eventStatuses},
	raw: {type: 'boolean', summary: 'Lines as they are stored; only into a pipe or a file'},
	route: {type: 'string', value: 'NAME', summary: 'Show only events of this route', completes: 'route'},
	events: {type: 'string', value: 'LIST', summary: 'Event types to accept, comma-separated'},
	prompt: {type: 'string', value: 'TEMPLATE', summary: 'Prompt for the run, with {fields} of the payload'},
	description: {type: 'string', value: 'TEXT', summary: 'Description of the route'},
	deliver: {
		type: 'string',
		mayStandAlone: true,
		value: 'TARGET',
		summary: 'Where the answer goes, comma-separated (default: log)',
		completes: 'target',
	},
	deliverChatId: {type: 'string', value: 'ID', summary: 'Chat or channel at that target'},
	onFailure: {
		type: 'string',
		value: 'TARGET',
		summary: 'Where a message about a failure goes, comma-separated',
		completes: 'target',
	},
	deliverOnly: {type: 'boolean', summary: 'Deliver the rendered prompt without a run'},
	extra: {
		type: 'string',
		isMultiple: true,
		value: 'KEY=VALUE',
		summary: 'Key of `deliver_extra`; KEY= removes it; can be repeated',
	},
	preset: {type: 'string', value: 'NAME', summary: 'Provider whose signatures the route takes', completes: 'preset'},
	set: {
		type: 'string',
		isMultiple: true,
		value: 'KEY=VALUE',
		summary: 'Setting that the provider needs besides the secret, as signature.url; KEY= removes it; can be repeated',
	},
	secretEnv: {type: 'string', value: 'NAME', summary: 'Variable that holds the secret, in .env or the environment'},
	filter: {type: 'string', value: 'JSON', summary: 'Filter of the payload, or a list of filters'},
	script: {type: 'string', value: 'FILE', summary: 'Script below scripts/ that filters or changes the payload'},
	coalesce: {
		type: 'string',
		value: 'KEY',
		summary: 'Payload field or template; its events in a short time become one run',
	},
	cronJob: {type: 'string', value: 'JOB', summary: 'Scheduled job to run for each event', completes: 'job'},
	routeProfile: {type: 'string', value: 'PROFILE', summary: 'Profile that serves the route', completes: 'profile'},
	name: {type: 'string', value: 'NAME', summary: 'New name'},
	schedule: {type: 'string', value: 'TEXT', summary: 'When the job runs'},
	timeZone: {
		type: 'string',
		value: 'ZONE',
		summary: 'IANA time zone, for example Europe/Berlin (default: the one of this host)',
	},
	skills: {type: 'string', value: 'LIST', summary: 'Skills for the run, comma-separated'},
	toolsets: {type: 'string', value: 'LIST', summary: 'Toolsets for the run, comma-separated'},
	url: {type: 'string', value: 'URL', summary: 'Public address of the receiver, without the path of the route'},
	payload: {type: 'string', value: 'JSON', summary: 'JSON body of the test event'},
	dryRun: {type: 'boolean', summary: 'Show what would happen, without doing it'},
	event: {type: 'string', value: 'ID', summary: 'Use this stored event instead of a made-up one', completes: 'event'},
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

/** Meanings of flags that differ by command, for the help and for completion. */
export type FlagTexts = {
	readonly [Name in FlagName]?: Pick<Flag, 'value' | 'summary' | 'completes'>;
};

/** A flag as the help of one command describes it: in the words of the command where it has its own. */
export function flagText(
	name: FlagName,
	texts: FlagTexts = {},
): Pick<Flag, 'value' | 'summary' | 'shortFlag' | 'completes'> {
	const {value, summary, shortFlag, completes} = describeFlag(name);
	return texts[name] ? {shortFlag, completes, ...texts[name]} : {value, summary, shortFlag, completes};
}
