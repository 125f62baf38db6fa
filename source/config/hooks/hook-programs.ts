import {isJsonObject, type JsonObject, ownMember} from '../../util/json-text.ts';
import {
	antigravityAnswer,
	antigravityDenial,
	cursorClaudeToolUse,
	cursorToolUse,
	deniedToolUse,
	geminiTool,
	opencodeReply,
	permissionRequest,
	vscodeToolUse,
} from './hook-answers.ts';
import {
	blocked,
	type GuardedKind,
	type HookAnswer,
	type HookDecision,
	type HookReading,
	readFlatCall,
	textMember,
} from './hook-call.ts';
import {type HookProgramName, hookProgramNames} from '../programs/program-names.ts';

/** An event of a program at which it runs a hook. */
type HookEvent = {
	/** The tools about which the event waits for a person; about the others, and with `none`, it answers at once, and only denies. */
	readonly waits: 'every-tool' | 'guarded-tools' | 'none';
	/** The answer in the words of the program. */
	readonly answer: (decision: HookDecision) => HookAnswer;
};

/** The protocol of a program: which events it has, which payload is its own, which tools ask. `config/programs/program-hooks.ts` has its files. */
export type HookProgram = {
	readonly name: HookProgramName;
	readonly title: string;
	readonly events: Readonly<Record<string, HookEvent>>;
	/** The names of its tools by kind. */
	readonly tools: Readonly<Record<GuardedKind, readonly string[]>>;
	/** The argument of its shell tools that holds the command. */
	readonly commandArgument: string;
	/** Tools of Sluice itself, which ask by themselves. */
	readonly own: RegExp;
	/** True for a payload of this program. Asked in the order of the table. */
	readonly sends: (payload: JsonObject) => boolean;
	readonly read: (payload: JsonObject) => HookReading;
	/** The answer to an input that nobody understands. */
	readonly refuse: (message: string) => HookAnswer;
	/** The time limit of the hook that its entry has. */
	readonly timeoutSeconds: number;
};

/** Longer than any person is waited for, and below what timers hold in milliseconds: the entry stays the same whatever is configured. */
const dayInSeconds = 86_400;

function eventOf(payload: JsonObject): string {
	return textMember(payload, 'hook_event_name') ?? textMember(payload, 'hookEventName') ?? '';
}

const sessionOf = {session: ['session_id', 'sessionId'], toolUse: 'tool_use_id'};

/** Reads a flat payload of one of these events. */
function readFlat(events: HookProgram['events'], payload: JsonObject, names = sessionOf): HookReading {
	const event = eventOf(payload);
	return Object.hasOwn(events, event) ? readFlatCall(payload, event, names) : {kind: 'other-event'};
}

const claudeEvents: HookProgram['events'] = {
	PermissionRequest: {waits: 'every-tool', answer: permissionRequest},
	PreToolUse: {waits: 'none', answer: deniedToolUse},
};
const geminiEvents: HookProgram['events'] = {BeforeTool: {waits: 'guarded-tools', answer: geminiTool}};
const cursorEvents: HookProgram['events'] = {
	preToolUse: {waits: 'guarded-tools', answer: cursorToolUse},
	PreToolUse: {waits: 'guarded-tools', answer: cursorClaudeToolUse},
};
const vscodeEvents: HookProgram['events'] = {PreToolUse: {waits: 'guarded-tools', answer: vscodeToolUse}};
const opencodeEvents: HookProgram['events'] = {'permission.asked': {waits: 'every-tool', answer: opencodeReply}};

/** The programs, each with what its documents say; the functions above name them. */
export const hookPrograms: Readonly<Record<HookProgramName, HookProgram>> = {
	opencode: {
		name: 'opencode',
		title: 'opencode',
		events: opencodeEvents,
		tools: {
			shell: ['bash'],
			edit: ['edit', 'write', 'patch', 'multiedit', 'apply_patch'],
			network: ['webfetch', 'websearch', 'codesearch'],
		},
		commandArgument: 'command',
		own: /^sluice_/u,
		sends: payload => eventOf(payload) === 'permission.asked',
		read: payload => readFlat(opencodeEvents, payload),
		refuse: blocked,
		timeoutSeconds: dayInSeconds,
	},
	cursor: {
		name: 'cursor',
		title: 'Cursor',
		events: cursorEvents,
		tools: {
			shell: ['Shell'],
			edit: ['Write', 'Edit', 'StrReplace', 'Delete', 'EditNotebook'],
			network: ['WebFetch', 'WebSearch'],
		},
		commandArgument: 'command',
		own: /^MCP:(?:mcp__|sluice)/u,
		sends: payload => ['conversation_id', 'generation_id', 'cursor_version'].some(name => textMember(payload, name)),
		read: payload => readFlat(cursorEvents, payload, {session: ['conversation_id'], toolUse: 'tool_use_id'}),
		refuse: blocked,
		timeoutSeconds: dayInSeconds,
	},
	antigravity: {
		name: 'antigravity',
		title: 'Antigravity',
		events: {
			PreToolUse: {
				waits: 'none',
				answer: antigravityAnswer,
			},
		},
		tools: {
			shell: ['run_command'],
			edit: ['write_to_file', 'replace_file_content', 'multi_replace_file_content'],
			network: ['read_url_content', 'search_web'],
		},
		commandArgument: 'CommandLine',
		own: /^mcp_+sluice_/u,
		sends: payload =>
			isJsonObject(ownMember(payload, 'toolCall')) || textMember(payload, 'conversationId') !== undefined,
		read: readAntigravity,
		refuse: antigravityDenial,
		timeoutSeconds: 60,
	},
	vscode: {
		name: 'vscode',
		title: 'VS Code',
		events: vscodeEvents,
		tools: {
			shell: ['run_in_terminal', 'runInTerminal', 'create_and_run_task', 'send_to_terminal'],
			edit: [
				'create_file',
				'replace_string_in_file',
				'multi_replace_string_in_file',
				'insert_edit_into_file',
				'apply_patch',
				'edit_notebook_file',
				'editFiles',
			],
			network: ['fetch_webpage', 'fetch'],
		},
		commandArgument: 'command',
		own: /^mcp_+sluice_/u,
		// Newer versions write the names of Claude Code, and a time that it does not send.
		sends: payload =>
			textMember(payload, 'hookEventName') !== undefined ||
			(eventOf(payload) === 'PreToolUse' &&
				ownMember(payload, 'timestamp') !== undefined &&
				ownMember(payload, 'permission_mode') === undefined),
		read: payload => readFlat(vscodeEvents, payload),
		refuse: blocked,
		timeoutSeconds: dayInSeconds,
	},
	gemini: {
		name: 'gemini',
		title: 'Gemini CLI',
		events: geminiEvents,
		tools: {
			shell: ['run_shell_command'],
			edit: ['write_file', 'replace'],
			network: ['web_fetch', 'google_web_search'],
		},
		commandArgument: 'command',
		own: /^mcp_+sluice_/u,
		sends: payload => /^(?:Before|After)[A-Z]/u.test(eventOf(payload)),
		read: payload => readFlat(geminiEvents, payload),
		refuse: blocked,
		timeoutSeconds: dayInSeconds,
	},
	codex: {
		name: 'codex',
		title: 'Codex',
		events: claudeEvents,
		tools: {
			shell: ['Bash', 'shell', 'exec_command'],
			edit: ['apply_patch', 'Edit', 'Write'],
			network: ['NetworkAccess', 'web_search'],
		},
		commandArgument: 'command',
		own: /^mcp__sluice__/u,
		sends: payload => textMember(payload, 'turn_id') !== undefined && eventOf(payload) !== '',
		read: payload => readFlat(claudeEvents, payload),
		refuse: blocked,
		timeoutSeconds: dayInSeconds,
	},
	'claude-code': {
		name: 'claude-code',
		title: 'Claude Code',
		events: claudeEvents,
		tools: {
			shell: ['Bash', 'PowerShell', 'Monitor'],
			edit: ['Write', 'Edit', 'MultiEdit', 'NotebookEdit'],
			network: ['WebFetch', 'WebSearch'],
		},
		commandArgument: 'command',
		own: /^mcp__sluice__/u,
		sends: payload => eventOf(payload) !== '' && textMember(payload, 'session_id') !== undefined,
		read: payload => readFlat(claudeEvents, payload),
		refuse: blocked,
		timeoutSeconds: dayInSeconds,
	},
};

/** The call is nested, its arguments have names of their own, and nothing names the event. */
function readAntigravity(payload: JsonObject): HookReading {
	const call = ownMember(payload, 'toolCall');
	if (!isJsonObject(call)) {
		return {kind: 'other-event'};
	}

	const tool = textMember(call, 'name');
	const input = ownMember(call, 'args');
	if (tool === undefined || !isJsonObject(input)) {
		return {kind: 'unreadable', reason: 'The toolCall has no name, or its args are not an object'};
	}

	const roots = ownMember(payload, 'workspacePaths');
	const [root] = Array.isArray(roots) ? roots : [];
	const cwd = textMember(input, 'Cwd') ?? (typeof root === 'string' ? root : undefined);
	const session = textMember(payload, 'conversationId');
	return {kind: 'call', call: {event: 'PreToolUse', tool, input, cwd, session, mode: 'asks'}};
}

/** The program that has sent a payload, whichever hook command got it: programs run the hooks of others. Undefined: none that is known. */
export function callerOf(payload: JsonObject): HookProgram | undefined {
	return Object.values(hookPrograms).find(({sends}) => sends(payload));
}

/** True for the name of a program that has hooks. */
export function isHookProgram(name: string): name is HookProgramName {
	return hookProgramNames.some(one => one === name);
}
