import {type JsonObject} from '../../util/json-text.ts';
import {type ClientConfigShape} from '../import/import-servers.ts';
import {type ProgramName, programNames} from './program-names.ts';
import {applicationFolders, codexFolder, claudeFile, claudeFolder, type Places, settingsFolder} from './places.ts';
import {type ProgramHook, programHooks} from './program-hooks.ts';
import {type SettingPath} from './settings-edit.ts';

/** The format of a settings file; JSON may have comments and trailing commas. */
export type SettingsFormat = 'json' | 'toml';

/** A server that is started: a command with an absolute path, and its arguments. */
export type StartedServer = {readonly command: string; readonly args: readonly string[]};

/** The endpoint, and the ways to its token that put no secret into a file. */
export type RemoteServer = {
	readonly url: string;
	/** The variable that holds the token. */
	readonly variable: string;
	/** A command line that prints the headers as JSON. */
	readonly headersCommand: string;
};

/** The setting by which a program runs the tools of one server without asking. */
export type TrustSetting =
	/** A member of the server's entry. */
	| {readonly kind: 'member'; readonly key: string; readonly value: string | boolean}
	/** A value elsewhere in the same file. */
	| {readonly kind: 'value'; readonly path: SettingPath; readonly value: string}
	/** An item of a list in a file of its own. */
	| {
			readonly kind: 'item';
			readonly path: SettingPath;
			readonly item: string;
			readonly userFile: (places: Places) => string;
			readonly projectFile: string;
	  };

/** A program that calls tools over MCP, with all that is known about its settings. */
export type AgentProgram = {
	readonly name: ProgramName;
	readonly title: string;
	readonly format: SettingsFormat;
	/** The shape of its entries for an import. */
	readonly shape: ClientConfigShape;
	/** The places of its servers in the file: the first that is there, else the last. */
	readonly serverPaths: readonly [SettingPath, ...SettingPath[]];
	/** Files of the user. The first that exists counts, else the first in a folder that exists, else the first. */
	readonly userFiles: (places: Places) => readonly string[];
	/** Files of a project, by the same rule; empty: it has none. */
	readonly projectFiles: readonly string[];
	/** Further files from which servers are imported. */
	readonly importedFiles?: (places: Places) => readonly string[];
	/** Paths of which one exists if it is installed. */
	readonly signs: (places: Places) => readonly string[];
	/** Its programs on PATH. */
	readonly commands: readonly string[];
	readonly startedEntry: (server: StartedServer) => JsonObject;
	/** Absent: it takes no token without having it in the file. */
	readonly remoteEntry?: (server: RemoteServer) => JsonObject;
	/** Its limit of a tool call. Absent: no key is known. */
	readonly timeout?: {
		readonly key: string;
		readonly unit: 'milliseconds' | 'seconds';
		readonly maximumSeconds?: number;
	};
	readonly trust?: TrustSetting;
	/** The member that switches off a server, as it is written. */
	readonly switchOff?: string;
	readonly hook: ProgramHook;
};

const mcpServers: readonly [SettingPath] = [['mcpServers']];
const plainEntry = ({command, args}: StartedServer): JsonObject => ({command, args});
const typedEntry = ({command, args}: StartedServer): JsonObject => ({type: 'stdio', command, args});
const bearer = (reference: string): JsonObject => ({Authorization: `Bearer ${reference}`});
const disabledMember = '"disabled": true';
const enabledMember = '"enabled": false';
const milliseconds = {key: 'timeout', unit: 'milliseconds'} as const;

/** The programs; their documents are named where a key is not obvious. */
export const programs: Readonly<Record<ProgramName, AgentProgram>> = {
	// https://code.claude.com/docs/en/mcp
	'claude-code': {
		name: 'claude-code',
		title: 'Claude Code',
		format: 'json',
		shape: 'mcp-servers',
		serverPaths: mcpServers,
		userFiles: places => [claudeFile(places)],
		projectFiles: ['.mcp.json'],
		signs: places => [claudeFolder(places), claudeFile(places)],
		commands: ['claude'],
		startedEntry: typedEntry,
		remoteEntry: ({url, headersCommand}) => ({type: 'http', url, headersHelper: headersCommand}),
		timeout: milliseconds,
		trust: {
			kind: 'item',
			path: ['permissions', 'allow'],
			item: 'mcp__sluice',
			userFile: places => `${claudeFolder(places)}/settings.json`,
			projectFile: '.claude/settings.json',
		},
		hook: programHooks['claude-code'],
	},
	'claude-desktop': {
		name: 'claude-desktop',
		title: 'Claude Desktop',
		format: 'json',
		shape: 'mcp-servers',
		serverPaths: mcpServers,
		userFiles: places => applicationFolders(places).map(folder => `${folder}/Claude/claude_desktop_config.json`),
		projectFiles: [],
		signs: places => [`${applicationFolders(places)[0]}/Claude`, '/Applications/Claude.app'],
		commands: [],
		startedEntry: plainEntry,
		hook: programHooks['claude-desktop'],
	},
	// https://developers.openai.com/codex/config-reference
	codex: {
		name: 'codex',
		title: 'Codex',
		format: 'toml',
		shape: 'codex',
		serverPaths: [['mcp_servers']],
		userFiles: places => [`${codexFolder(places)}/config.toml`],
		projectFiles: ['.codex/config.toml'],
		signs: places => [codexFolder(places)],
		commands: ['codex'],
		// It gives other servers one second to start, and then begins without their tools.
		startedEntry: server => ({...plainEntry(server), required: true}),
		remoteEntry: ({url, variable}) => ({url, bearer_token_env_var: variable}),
		timeout: {key: 'tool_timeout_sec', unit: 'seconds'},
		trust: {kind: 'member', key: 'default_tools_approval_mode', value: 'approve'},
		switchOff: 'enabled = false',
		hook: programHooks.codex,
	},
	// https://geminicli.com/docs/tools/mcp-server
	gemini: {
		name: 'gemini',
		title: 'Gemini CLI',
		format: 'json',
		shape: 'gemini',
		serverPaths: mcpServers,
		userFiles: ({home}) => [`${home}/.gemini/settings.json`],
		projectFiles: ['.gemini/settings.json'],
		signs: ({home}) => [`${home}/.gemini/settings.json`],
		commands: ['gemini'],
		startedEntry: plainEntry,
		remoteEntry: ({url, variable}) => ({httpUrl: url, headers: bearer(`$${variable}`)}),
		timeout: milliseconds,
		trust: {kind: 'member', key: 'trust', value: true},
		hook: programHooks.gemini,
	},
	// Versions of 2025 read the second file.
	antigravity: {
		name: 'antigravity',
		title: 'Antigravity',
		format: 'json',
		shape: 'mcp-servers',
		serverPaths: mcpServers,
		userFiles: ({home}) => [`${home}/.gemini/config/mcp_config.json`, `${home}/.gemini/antigravity/mcp_config.json`],
		projectFiles: [],
		signs: ({home}) => [`${home}/.gemini/config`, `${home}/.gemini/antigravity`, '/Applications/Antigravity.app'],
		commands: ['agy', 'antigravity'],
		startedEntry: plainEntry,
		switchOff: disabledMember,
		hook: programHooks.antigravity,
	},
	// https://cursor.com/docs/context/mcp
	cursor: {
		name: 'cursor',
		title: 'Cursor',
		format: 'json',
		shape: 'mcp-servers',
		serverPaths: mcpServers,
		userFiles: ({home}) => [`${home}/.cursor/mcp.json`],
		projectFiles: ['.cursor/mcp.json'],
		signs: ({home}) => [`${home}/.cursor`, '/Applications/Cursor.app'],
		commands: ['cursor', 'cursor-agent'],
		startedEntry: plainEntry,
		remoteEntry: ({url, variable}) => ({url, headers: bearer(`\${env:${variable}}`)}),
		hook: programHooks.cursor,
	},
	// https://code.visualstudio.com/docs/copilot/reference/mcp-configuration
	vscode: {
		name: 'vscode',
		title: 'VS Code',
		format: 'json',
		shape: 'vs-code',
		serverPaths: [['servers']],
		userFiles: places => [
			...applicationFolders(places).map(folder => `${folder}/Code/User/mcp.json`),
			`${places.home}/.vscode-server/data/User/mcp.json`,
		],
		projectFiles: ['.vscode/mcp.json'],
		// Versions before 1.102 have their servers there.
		importedFiles: places => applicationFolders(places).map(folder => `${folder}/Code/User/settings.json`),
		signs: places => [
			`${applicationFolders(places)[0]}/Code/User`,
			`${places.home}/.vscode-server`,
			'/Applications/Visual Studio Code.app',
		],
		commands: ['code'],
		startedEntry: typedEntry,
		hook: programHooks.vscode,
	},
	// https://docs.windsurf.com/windsurf/cascade/mcp
	windsurf: {
		name: 'windsurf',
		title: 'Windsurf',
		format: 'json',
		shape: 'mcp-servers',
		serverPaths: mcpServers,
		userFiles: ({home}) => [`${home}/.codeium/windsurf/mcp_config.json`, `${home}/.codeium/mcp_config.json`],
		projectFiles: [],
		signs: ({home}) => [`${home}/.codeium/windsurf`, `${home}/.codeium/mcp_config.json`, '/Applications/Windsurf.app'],
		commands: ['windsurf'],
		startedEntry: plainEntry,
		remoteEntry: ({url, variable}) => ({serverUrl: url, headers: bearer(`\${env:${variable}}`)}),
		switchOff: disabledMember,
		hook: programHooks.windsurf,
	},
	// https://zed.dev/docs/ai/mcp
	zed: {
		name: 'zed',
		title: 'Zed',
		format: 'json',
		shape: 'zed',
		serverPaths: [['context_servers']],
		userFiles: places => [`${settingsFolder(places)}/zed/settings.json`],
		projectFiles: ['.zed/settings.json'],
		signs: places => [`${settingsFolder(places)}/zed`, '/Applications/Zed.app'],
		commands: ['zed', 'zeditor'],
		startedEntry: plainEntry,
		timeout: {key: 'timeout', unit: 'seconds', maximumSeconds: 600},
		switchOff: enabledMember,
		hook: programHooks.zed,
	},
	// https://opencode.ai/docs/mcp-servers; version 2 has the servers one level below.
	opencode: {
		name: 'opencode',
		title: 'opencode',
		format: 'json',
		shape: 'opencode',
		serverPaths: [['mcp', 'servers'], ['mcp']],
		userFiles: places => ['opencode.jsonc', 'opencode.json'].map(name => `${settingsFolder(places)}/opencode/${name}`),
		projectFiles: ['opencode.jsonc', 'opencode.json'],
		signs: places => [`${settingsFolder(places)}/opencode`],
		commands: ['opencode'],
		startedEntry: ({command, args}) => ({type: 'local', command: [command, ...args]}),
		remoteEntry: ({url, variable}) => ({type: 'remote', url, headers: bearer(`{env:${variable}}`)}),
		timeout: milliseconds,
		trust: {kind: 'value', path: ['permission', 'sluice_*'], value: 'allow'},
		switchOff: enabledMember,
		hook: programHooks.opencode,
	},
	// https://github.com/charmbracelet/crush#mcps
	crush: {
		name: 'crush',
		title: 'Crush',
		format: 'json',
		shape: 'crush',
		serverPaths: [['mcp']],
		userFiles: places => [
			...(places.variables['CRUSH_GLOBAL_CONFIG'] ? [`${places.variables['CRUSH_GLOBAL_CONFIG']}/crush.json`] : []),
			`${settingsFolder(places)}/crush/crush.json`,
		],
		projectFiles: ['.crush.json', 'crush.json'],
		signs: places => [`${settingsFolder(places)}/crush`],
		commands: ['crush'],
		startedEntry: typedEntry,
		remoteEntry: ({url, variable}) => ({type: 'http', url, headers: bearer(`$${variable}`)}),
		timeout: {key: 'timeout', unit: 'seconds'},
		switchOff: disabledMember,
		hook: programHooks.crush,
	},
};

/** Every program, in the order of their names in the table. */
export const allPrograms: readonly AgentProgram[] = programNames.map(name => programs[name]);
