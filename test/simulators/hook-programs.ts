import {type HookProgramName} from '../../source/config/programs/program-names.ts';
import {isJsonObject, type JsonObject, parseJson} from '../../source/util/json-text.ts';

/** The end of a hook as its program sees it: its exit and output, or no end in its time. */
export type HookEnd =
	| {readonly exitCode: number; readonly stdout: string; readonly stderr?: string}
	| 'killed'
	| 'time-out'
	| 'not-found';

/** The program goes on with the call without a person, asks its person, or does not make the call. `its-way`: its own settings decide, as without a hook. */
export type ProgramReaction = 'runs' | 'asks' | 'blocked' | 'its-way';

/** A payload that the program sends before a call, as its documents show it. */
type Payload = (call: {
	readonly tool?: string;
	readonly input?: JsonObject;
	readonly mode?: string;
	readonly id?: string;
}) => JsonObject;

/** A program at one of its events: its payload, and what it makes of the end of a hook. */
export type SimulatedEvent = {
	readonly program: HookProgramName;
	readonly event: string;
	readonly shell: string;
	readonly edit: string;
	readonly reads: string;
	readonly payload: Payload;
	readonly react: (end: HookEnd) => ProgramReaction;
	/** Its reaction to a hook that fails, by the same documents. */
	readonly onFailure: ProgramReaction;
};

function objectIn(end: HookEnd): JsonObject | undefined {
	const value = typeof end === 'object' && end.exitCode === 0 ? parseJson(end.stdout) : undefined;
	return isJsonObject(value) ? value : undefined;
}

function memberAt(value: JsonObject | undefined, ...names: readonly string[]): unknown {
	return names.reduce<unknown>((at, name) => (isJsonObject(at) ? at[name] : undefined), value);
}

function isExit(end: HookEnd, code: number): boolean {
	return typeof end === 'object' && end.exitCode === code;
}

const claudePayload = (event: string, more: JsonObject) => ({
	session_id: 'abc123',
	transcript_path: '/home/ada/.claude/projects/x/abc123.jsonl',
	cwd: '/srv/app',
	hook_event_name: event,
	...more,
});

/** https://code.claude.com/docs/en/hooks: exit code 2 blocks; any other failure lets the call go on. */
function preToolUse(end: HookEnd): ProgramReaction {
	const decision = memberAt(objectIn(end), 'hookSpecificOutput', 'permissionDecision');
	if (isExit(end, 2) || decision === 'deny') {
		return 'blocked';
	}

	return decision === 'allow' ? 'runs' : decision === 'ask' ? 'asks' : 'its-way';
}

/** The same: exit code 2 is not honoured, and whatever is no decision leaves the dialog. Codex: reserved members fail closed. */
function permissionRequest(end: HookEnd): ProgramReaction {
	const decision = memberAt(objectIn(end), 'hookSpecificOutput', 'decision');
	const behavior = isJsonObject(decision) ? decision['behavior'] : undefined;
	const isReserved = isJsonObject(decision) && ('updatedInput' in decision || 'updatedPermissions' in decision);
	return behavior === 'deny' || isReserved ? 'blocked' : behavior === 'allow' ? 'runs' : 'asks';
}

const bash = {command: 'npm test', description: 'Run the tests'};

/** Every event at which Sluice is asked, with the protocol as published. */
export const simulatedEvents: readonly SimulatedEvent[] = [
	{
		program: 'claude-code',
		event: 'PermissionRequest',
		shell: 'Bash',
		edit: 'Edit',
		reads: 'Read',
		payload: ({tool = 'Bash', input = bash, mode = 'default'}) =>
			claudePayload('PermissionRequest', {
				permission_mode: mode,
				tool_name: tool,
				tool_input: input,
				permission_suggestions: [],
			}),
		react: permissionRequest,
		onFailure: 'asks',
	},
	{
		program: 'claude-code',
		event: 'PreToolUse',
		shell: 'Bash',
		edit: 'Edit',
		reads: 'Read',
		payload: ({tool = 'Bash', input = bash, mode = 'default', id = 'toolu_01'}) =>
			claudePayload('PreToolUse', {permission_mode: mode, tool_name: tool, tool_input: input, tool_use_id: id}),
		react: preToolUse,
		onFailure: 'its-way',
	},
	{
		program: 'codex',
		event: 'PermissionRequest',
		shell: 'Bash',
		edit: 'apply_patch',
		reads: 'mcp__files__read',
		payload: ({tool = 'Bash', input = bash, mode = 'default'}) =>
			claudePayload('PermissionRequest', {
				turn_id: 'turn-1',
				model: 'gpt',
				permission_mode: mode,
				tool_name: tool,
				tool_input: input,
			}),
		react: permissionRequest,
		onFailure: 'asks',
	},
	{
		program: 'codex',
		event: 'PreToolUse',
		shell: 'Bash',
		edit: 'apply_patch',
		reads: 'mcp__files__read',
		payload: ({tool = 'Bash', input = bash, mode = 'default', id = 'call_1'}) =>
			claudePayload('PreToolUse', {
				turn_id: 'turn-1',
				model: 'gpt',
				permission_mode: mode,
				tool_name: tool,
				tool_input: input,
				tool_use_id: id,
			}),
		// https://developers.openai.com/codex/hooks: a bare allow, and ask, are failures of the hook, and the command runs.
		react: end => (preToolUse(end) === 'blocked' ? 'blocked' : 'its-way'),
		onFailure: 'its-way',
	},
	{
		program: 'gemini',
		event: 'BeforeTool',
		shell: 'run_shell_command',
		edit: 'write_file',
		reads: 'read_file',
		payload: ({tool = 'run_shell_command', input = bash}) =>
			claudePayload('BeforeTool', {timestamp: '2026-08-01T10:00:00Z', tool_name: tool, tool_input: input}),
		// https://geminicli.com/docs/hooks/reference: what is no JSON is an allowance.
		react(end) {
			const decision = memberAt(objectIn(end), 'decision');
			return isExit(end, 2) || decision === 'deny' || decision === 'block'
				? 'blocked'
				: decision === 'allow'
					? 'runs'
					: 'its-way';
		},
		onFailure: 'its-way',
	},
	{
		program: 'antigravity',
		event: 'PreToolUse',
		shell: 'run_command',
		edit: 'write_to_file',
		reads: 'view_file',
		payload: ({tool = 'run_command', input = {CommandLine: 'npm test', Cwd: '/srv/app'}}) => ({
			toolCall: {name: tool, args: input},
			stepIdx: 19,
			conversationId: 'abc',
			workspacePaths: ['/srv/app'],
			transcriptPath: '/home/ada/.gemini/antigravity/brain/abc/transcript.jsonl',
		}),
		react: end => (memberAt(objectIn(end), 'decision') === 'deny' ? 'blocked' : 'its-way'),
		onFailure: 'its-way',
	},
	{
		program: 'cursor',
		event: 'preToolUse',
		shell: 'Shell',
		edit: 'Write',
		reads: 'Read',
		payload: ({tool = 'Shell', input = bash, id = 'tool_1'}) => ({
			conversation_id: 'conv-123',
			generation_id: 'gen-456',
			hook_event_name: 'preToolUse',
			cursor_version: '2.4.0',
			workspace_roots: ['/srv/app'],
			cwd: '/srv/app',
			tool_name: tool,
			tool_input: input,
			tool_use_id: id,
		}),
		// https://cursor.com/docs/agent/hooks, with `failClosed`: a hook without JSON blocks; ask is not enforced here.
		react(end) {
			const output = objectIn(end);
			const permission = memberAt(output, 'permission');
			return !output || permission === 'deny' ? 'blocked' : permission === 'allow' ? 'runs' : 'its-way';
		},
		onFailure: 'blocked',
	},
	{
		program: 'vscode',
		event: 'PreToolUse',
		shell: 'run_in_terminal',
		edit: 'create_file',
		reads: 'read_file',
		payload: ({tool = 'run_in_terminal', input = {...bash, isBackground: false}, id = 'tool-123'}) => ({
			timestamp: '2026-08-01T10:00:00.000Z',
			cwd: '/srv/app',
			sessionId: 'session-1',
			hookEventName: 'PreToolUse',
			transcript_path: '/tmp/transcript.json',
			tool_name: tool,
			tool_input: input,
			tool_use_id: id,
		}),
		// https://code.visualstudio.com/docs/agents/reference/hooks-reference
		react: preToolUse,
		onFailure: 'its-way',
	},
	{
		program: 'opencode',
		event: 'permission.asked',
		shell: 'bash',
		edit: 'edit',
		reads: 'read',
		payload: ({tool = 'bash', input = bash, id = 'per_1'}) =>
			claudePayload('permission.asked', {tool_use_id: id, tool_name: tool, tool_input: input}),
		// As the plugin has it: without a reply the dialog stays.
		react(end) {
			const reply = memberAt(objectIn(end), 'reply');
			return reply === 'reject' ? 'blocked' : reply === 'once' ? 'runs' : 'asks';
		},
		onFailure: 'asks',
	},
];

/** The simulated event of a program; the first one, if no name is given. */
export function simulated(program: HookProgramName, event?: string): SimulatedEvent {
	const found = simulatedEvents.find(one => one.program === program && (event === undefined || one.event === event));
	if (!found) {
		throw new Error(`${program} has no such event`);
	}

	return found;
}
