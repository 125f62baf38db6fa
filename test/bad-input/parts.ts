import {chooseModel} from '../../source/agent/models/model-choice.ts';
import {selectTools} from '../../source/agent/toolsets.ts';
import {clientConfigSource} from '../../source/config/import/client-configs.ts';
import {parseInstallLink} from '../../source/config/import/install-link.ts';
import {readConfigText} from '../../source/config/read/load-config.ts';
import {type ModelConfig} from '../../source/config/read/model-config.ts';
import {chooseChat, type ChatRule} from '../../source/delivery/chat.ts';
import {checkPlatform} from '../../source/delivery/check-platform.ts';
import {unknownTarget} from '../../source/delivery/find-target.ts';
import {validateCall} from '../../source/tools/validate-call.ts';
import {readNamedId} from '../../source/util/id-part.ts';
import {lossInJson} from '../../source/util/json-text.ts';
import {compilePattern} from '../../source/util/pattern.ts';
import {type BadInput} from './bad-input.ts';

const encode = (entry: unknown) => Buffer.from(JSON.stringify(entry)).toString('base64url');

const link = (entry: unknown, name = 'files') =>
	parseInstallLink(`sluice://mcp/install?name=${name}&config=${encode(entry)}`);

const scope = {variables: () => undefined, expand: (text: string) => text};

function modelFault(config: ModelConfig): string {
	const choice = chooseModel(config, scope);
	return 'why' in choice ? choice.why : choice.kind;
}

const chats: ChatRule = {kind: 'named', grammar: /^\d+$/u, words: 'the id of a channel (digits)'};

function chatFault(chat?: string): string {
	const choice = chooseChat(chats, {extra: chat === undefined ? {} : {chat_id: chat}, settings: {homeChannel: ''}});
	return choice.kind === 'refused' ? choice.detail : choice.chat;
}

function platformFaults(name: string, written: object) {
	const {config} = readConfigText('config.yaml', JSON.stringify({platforms: {[name]: written}}), () => undefined);
	const platform = config.platforms.find(one => one.name === name);
	return platform ? checkPlatform(platform, scope) : [];
}

/** Links, ids, tools, models and delivery targets. */
export const partRows: readonly BadInput[] = [
	{
		input: 'a link of another program',
		give: () => parseInstallLink('cursor://mcp/install?name=a'),
		says: ['link_refused: The install link is refused: it must begin with sluice://mcp/install?'],
	},
	{
		input: 'a link without a name',
		give: () => parseInstallLink('sluice://mcp/install?config=e30'),
		says: ['link_refused: The install link is refused: it has no `name`'],
	},
	{
		input: 'a link with a name that is not allowed',
		give: () => link({url: 'https://a.example'}, '../x'),
		says: [
			'link_refused: The install link is refused: its name must have 1 to 64 letters, digits, dots, underscores or hyphens',
		],
	},
	{
		input: 'a link whose config is not base64',
		give: () => parseInstallLink('sluice://mcp/install?name=a&config=***'),
		says: ['link_refused: The install link is refused: its config must be base64url or base64'],
	},
	{
		input: 'a link whose config is not an object',
		give: () => link([]),
		says: ['link_refused: The install link is refused: its config must be a JSON object'],
	},
	{
		input: 'a link with neither url nor command',
		give: () => link({}),
		says: ['link_refused: The install link is refused: its config must have a text `url` or a text `command`'],
	},
	{
		input: 'a link with an address of another protocol',
		give: () => link({url: 'file:///etc/passwd'}),
		says: ['link_refused: The install link is refused: its url must be an http:// or https:// address'],
	},
	{
		input: 'a program to import from with a typing mistake',
		give: () => clientConfigSource('cursr', '/'),
		says: [
			'bad_usage: "cursr" is not a known program; did you mean "cursor"? Allowed: claude-desktop, claude-code, vscode, cursor, gemini, codex, antigravity, windsurf, zed, opencode, crush, or the path of a file',
		],
	},
	{
		input: 'a program to import from that is unknown',
		give: () => clientConfigSource('emacs', '/'),
		says: [
			'bad_usage: "emacs" is not a known program. Allowed: claude-desktop, claude-code, vscode, cursor, gemini, codex, antigravity, windsurf, zed, opencode, crush, or the path of a file',
		],
	},
	{
		input: 'an id that is too short',
		give: () => readNamedId(['01890000-aaaa', '01890000-bbbb'], 'aa'),
		says: ['bad_usage: "aa" is too short. Type at least 4 characters of the beginning or end of the id'],
	},
	{
		input: 'an id that fits two',
		give: () => readNamedId(['01890000-aaaa', '01890000-bbbb'], '01890000'),
		says: ['ambiguous_id: "01890000" matches more than one id: 01890000-aaaa, 01890000-bbbb'],
	},
	{
		input: 'a pattern with lookaround',
		give: () => compilePattern('(?=a)'),
		says: ['pattern_refused: The pattern "(?=a)" is not allowed: invalid or unsupported Perl syntax: `(?=`'],
	},
	{
		input: 'a pattern that is not closed',
		give: () => compilePattern('(a'),
		says: ['pattern_refused: The pattern "(a" is not allowed: missing closing ): `(a`'],
	},
	{
		input: 'arguments with a name twice',
		give: () => lossInJson('{"a":1,"a":2}'),
		says: ['An object contains the same name twice'],
	},
	{
		input: 'a number of an argument that is too large',
		give: () => lossInJson('{"a":12345678901234567890}'),
		says: ['The number 12345678901234567890 is too large or too exact to be passed on unchanged; pass it as a string'],
	},
	{
		input: 'a tool that does not exist',
		give: () =>
			validateCall(
				{name: 'mcp__files__raed', arguments: {}, origin: {kind: 'command-line'}},
				{findTool: () => undefined, findConnection: () => undefined},
			),
		says: ['unknown_tool: No tool named "mcp__files__raed" is registered'],
	},
	{
		input: 'a toolset with a typing mistake',
		give: () => selectTools(['web_serch'], {servers: ['files'], attended: true}).problems,
		says: [
			'warning unknown_toolset: "web_serch" is not a known toolset; did you mean "web_search"? Allowed: web_search, web_extract, vision_analyze, clarify, and mcp- followed by the name of a server. It is ignored',
		],
	},
	{
		input: 'a toolset that does not exist',
		give: () => selectTools(['terminal'], {servers: ['files'], attended: true}).problems,
		says: [
			'warning unknown_toolset: "terminal" is not a known toolset. Allowed: web_search, web_extract, vision_analyze, clarify, and mcp- followed by the name of a server. It is ignored',
		],
	},
	{
		input: 'a provider without its key',
		give: () => modelFault({provider: 'anthropic'}),
		says: ['anthropic needs a key: set `model.api_key` or the variable ANTHROPIC_API_KEY'],
	},
	{
		input: 'a provider without its address',
		give: () => modelFault({provider: 'openai-compatible', name: 'x'}),
		says: ['openai-compatible needs `model.base_url`'],
	},
	{
		input: 'an address of a model that is not of the web',
		give: () => modelFault({provider: 'openai-compatible', name: 'x', baseUrl: 'ftp://a.example'}),
		says: ['`model.base_url` is not an http:// or https:// address'],
	},
	{
		input: 'a key without a provider',
		give: () => modelFault({provider: 'auto', apiKey: 'k'}),
		says: ['`model.api_key` is set, but `model.provider` and `model.base_url` are not'],
	},
	{
		input: 'a delivery target with a typing mistake',
		give: () => unknownTarget('telegramm'),
		says: [
			'unknown_target: "telegramm" is not a known delivery target; did you mean "telegram"? Allowed: log, github_comment, telegram, discord, slack, signal, sms, whatsapp, matrix, mattermost, homeassistant, email, dingtalk, feishu, wecom, weixin, bluebubbles, qqbot, teams, google_chat, ntfy, pagerduty, url',
		],
	},
	{
		input: 'a chat that the platform cannot have',
		give: () => chatFault('a b'),
		says: ['deliver_extra.chat_id is not a chat of this platform. Allowed: the id of a channel (digits)'],
	},
	{
		input: 'no chat at all',
		give: () => chatFault(),
		says: ['no chat is set: set deliver_extra.chat_id or home_channel'],
	},
	{
		input: 'a platform without its token',
		give: () => platformFaults('telegram', {}),
		says: [
			'warning platform_unusable: platforms.telegram.token is missing (or the variable TELEGRAM_BOT_TOKEN) → Set `platforms.telegram.token`, or TELEGRAM_BOT_TOKEN in `.env`',
		],
	},
	{
		input: 'a platform whose variable is not set',
		give: () => platformFaults('telegram', {token: '${NOWHERE}'}),
		says: [
			'warning platform_unusable: platforms.telegram.token refers to ${NOWHERE}, which is not set → Set `platforms.telegram.token`, or NOWHERE in `.env`',
		],
	},
	{
		input: 'a platform with an address that is not of the web',
		give: () => platformFaults('mattermost', {token: 'x', base_url: 'chat.example'}),
		says: [
			'warning platform_unusable: platforms.mattermost.base_url must be an http or https address without a password → Correct `platforms.mattermost.base_url` in config.yaml',
		],
	},
	{
		input: 'an e-mail address that is none',
		give: () => platformFaults('email', {host: 'mail.test', user: 'me', password: 'x', from: 'me'}),
		says: [
			'warning platform_unusable: platforms.email.from must be an e-mail address → Correct `platforms.email.from` in config.yaml',
		],
	},
];
