import {type JsonObject} from '../../util/json-text.ts';
import {hookPrograms} from '../hooks/hook-programs.ts';
import {openCodePlugin} from './opencode-plugin.ts';
import {claudeFolder, codexFolder, type Places, settingsFolder} from './places.ts';
import {type HookProgramName, type ProgramName} from './program-names.ts';
import {type SettingPath} from './settings-edit.ts';

/** A hook is a command that a program runs before a call. `none`: the program has no hook that `sluice hook` answers. */
export type ProgramHook = {readonly kind: 'none'; readonly reason: string} | SettingsHook | PluginHook;

/** The parts of every hook. */
type HookParts = {
	readonly userFile: (places: Places) => string;
	/** The file in a project; absent: there is none. */
	readonly projectFile?: string;
	/** The fate of a call when the hook fails, as sentences. */
	readonly failure: string;
	/** The calls that are not asked about in Sluice, as sentences. */
	readonly unreached: string;
};

/** A hook in a JSON file: an item in the list of each event. */
export type SettingsHook = HookParts & {
	readonly kind: 'settings';
	/** The object that has the lists of events. */
	readonly above: SettingPath;
	/** Events and their items. */
	readonly items: (command: string) => ReadonlyArray<readonly [event: string, item: JsonObject]>;
	/** The time-out in them, in the unit of the program. */
	readonly timeout: number;
	/** Members of the file that the program wants beside. */
	readonly members?: JsonObject;
	/** Values of settings files by which the program runs no hook. */
	readonly switches: readonly HookSwitch[];
	/** The trust that a person gives in the program; absent: none is needed. */
	readonly trust?: {
		/** The file with `hooks.state`, in TOML. */
		readonly file: (places: Places) => string;
		/** The act that gives it, as a sentence. */
		readonly act: string;
	};
};

/** A hook that is a program of its own in a folder of plugins. */
export type PluginHook = HookParts & {
	readonly kind: 'plugin';
	/** The text of the file; `words` start the hook. */
	readonly text: (words: readonly string[]) => string;
};

/** A setting that switches off hooks. */
type HookSwitch = {
	readonly files: (places: Places) => readonly string[];
	readonly format: 'json' | 'toml';
	readonly path: SettingPath;
	readonly value: boolean;
};

const secondsOf = (program: HookProgramName) => hookPrograms[program].timeoutSeconds;
const handler = (command: string, timeout: number): JsonObject => ({type: 'command', command, timeout});

/** Hooks by program. Command lines are one text for a shell: VS Code and Cursor read the file of Claude Code, too, and know no `args`. */
export const programHooks: Readonly<Record<ProgramName, ProgramHook>> = {
	// https://code.claude.com/docs/en/hooks
	'claude-code': {
		kind: 'settings',
		userFile: places => `${claudeFolder(places)}/settings.json`,
		projectFile: '.claude/settings.json',
		above: ['hooks'],
		items: command => [
			['PermissionRequest', {matcher: '*', hooks: [handler(command, secondsOf('claude-code'))]}],
			// Its own dialog stays behind a question that failed; a denial has nothing behind it.
			['PreToolUse', {matcher: '*', hooks: [{...handler(command, secondsOf('claude-code')), onFailure: 'block'}]}],
		],
		timeout: secondsOf('claude-code'),
		switches: [
			{
				files: places => [
					`${claudeFolder(places)}/settings.json`,
					`${places.workingDirectory}/.claude/settings.json`,
					`${places.workingDirectory}/.claude/settings.local.json`,
				],
				format: 'json',
				path: ['disableAllHooks'],
				value: true,
			},
		],
		failure:
			'If the hook fails or takes too long, Claude Code asks in its own dialog. Calls for which it does not ask are then refused by version 2.1.295 and later, and run in earlier ones.',
		unreached:
			'Files that you name with @ reach no hook. Calls for which Claude Code does not ask, such as reads and what you have allowed there, only meet your deny rules and the hold.',
	},
	'claude-desktop': {kind: 'none', reason: 'Claude Desktop has no hooks'},
	// https://developers.openai.com/codex/hooks; the root of the file has no other members.
	codex: {
		kind: 'settings',
		userFile: places => `${codexFolder(places)}/hooks.json`,
		projectFile: '.codex/hooks.json',
		above: ['hooks'],
		items: command => [
			['PermissionRequest', {hooks: [handler(command, secondsOf('codex'))]}],
			['PreToolUse', {hooks: [handler(command, secondsOf('codex'))]}],
		],
		timeout: secondsOf('codex'),
		switches: [
			{
				files: places => [`${codexFolder(places)}/config.toml`],
				format: 'toml',
				path: ['features', 'hooks'],
				value: false,
			},
			{
				files: places => [`${codexFolder(places)}/config.toml`],
				format: 'toml',
				path: ['features', 'codex_hooks'],
				value: false,
			},
		],
		trust: {
			file: places => `${codexFolder(places)}/config.toml`,
			act: 'Type /hooks in Codex and trust the hooks of Sluice; Codex skips them until then.',
		},
		failure:
			'Codex skips a hook that crashes, takes too long or is not trusted, and goes on as without it: it asks where it usually asks, and runs the call elsewhere.',
		unreached:
			'Web search and other built-in tools besides shell commands and patches reach no hook. Calls for which Codex does not ask only meet your deny rules and the hold.',
	},
	// https://geminicli.com/docs/hooks/reference
	gemini: {
		kind: 'settings',
		userFile: ({home}) => `${home}/.gemini/settings.json`,
		projectFile: '.gemini/settings.json',
		above: ['hooks'],
		items: command => [
			['BeforeTool', {matcher: '.*', hooks: [{name: 'sluice', ...handler(command, secondsOf('gemini') * 1000)}]}],
		],
		timeout: secondsOf('gemini') * 1000,
		switches: [
			{
				files: ({home, workingDirectory}) => [
					`${home}/.gemini/settings.json`,
					`${workingDirectory}/.gemini/settings.json`,
				],
				format: 'json',
				path: ['hooksConfig', 'enabled'],
				value: false,
			},
		],
		failure:
			'If the hook crashes or takes too long, Gemini CLI goes on as without it: it asks where it usually asks, and runs the call elsewhere.',
		unreached:
			'Every call reaches the hook; shell, edit and network tools wait for you in Sluice, all others only meet your deny rules and the hold.',
	},
	// https://antigravity.google/docs/hooks; each member of the root is one hook, and the file is JSON without comments.
	antigravity: {
		kind: 'settings',
		userFile: ({home}) => `${home}/.gemini/config/hooks.json`,
		above: ['sluice'],
		items: command => [['PreToolUse', {matcher: '*', hooks: [handler(command, secondsOf('antigravity'))]}]],
		timeout: secondsOf('antigravity'),
		switches: [
			{
				files: ({home}) => [`${home}/.gemini/config/hooks.json`],
				format: 'json',
				path: ['sluice', 'enabled'],
				value: false,
			},
		],
		failure:
			'Antigravity takes only a denial from the hook. If the hook fails, it goes on as without it: it asks where it usually asks, and runs the call elsewhere.',
		unreached: 'No call waits for you in Sluice; calls only meet your deny rules and the hold.',
	},
	// https://cursor.com/docs/agent/hooks
	cursor: {
		kind: 'settings',
		userFile: ({home}) => `${home}/.cursor/hooks.json`,
		projectFile: '.cursor/hooks.json',
		above: ['hooks'],
		items: command => [['preToolUse', {command, timeout: secondsOf('cursor'), failClosed: true}]],
		timeout: secondsOf('cursor'),
		members: {version: 1},
		switches: [],
		failure: 'If the hook fails or takes too long, Cursor refuses the call (`failClosed`).',
		unreached:
			'What Cursor Tab reads and writes reaches no such hook. Shell, edit and network tools of the agent wait for you in Sluice, all others only meet your deny rules and the hold.',
	},
	// https://code.visualstudio.com/docs/agent-customization/hooks
	vscode: {
		kind: 'settings',
		userFile: ({home}) => `${home}/.copilot/hooks/sluice.json`,
		projectFile: '.github/hooks/sluice.json',
		above: ['hooks'],
		items: command => [['PreToolUse', handler(command, secondsOf('vscode'))]],
		timeout: secondsOf('vscode'),
		switches: [],
		failure: 'If the hook crashes or takes too long, VS Code shows a warning and goes on as without it.',
		unreached:
			'Agents in VS Code that are those of another program, such as Claude Code, run only hooks of that program, and an organization may switch hooks off. Shell, edit and network tools wait for you in Sluice, all others only meet your deny rules and the hold.',
	},
	windsurf: {kind: 'none', reason: 'Sluice does not answer the hooks of Windsurf'},
	zed: {kind: 'none', reason: 'Zed has no hooks'},
	// https://opencode.ai/docs/plugins
	opencode: {
		kind: 'plugin',
		userFile: places => `${settingsFolder(places)}/opencode/plugins/sluice.js`,
		projectFile: '.opencode/plugins/sluice.js',
		text: openCodePlugin,
		failure: 'If the plugin fails, the question stays in opencode, and no call runs unasked.',
		unreached:
			'opencode runs most calls without asking, and these do not reach Sluice: set `permission` in its settings to `ask` for the tools that should wait.',
	},
	crush: {kind: 'none', reason: 'Sluice does not answer the hooks of Crush'},
};
