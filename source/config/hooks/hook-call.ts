import {isJsonObject, type JsonObject, ownMember} from '../../util/json-text.ts';

/** The tools that a person is asked about wherever the program leaves it to a hook. */
export type GuardedKind = 'shell' | 'edit' | 'network';

/** A mode in which the program asks a person itself, or one in which it never does. */
export type AskingMode = 'asks' | 'never-asks';

/** A call that a program is about to make, as its hook says it. */
export type HookCall = {
	/** The name of the event, as the program has it. */
	readonly event: string;
	/** The tool as the program names it. */
	readonly tool: string;
	readonly input: JsonObject;
	/** The folder that the program works in; absent if it does not say. */
	readonly cwd?: string | undefined;
	readonly session?: string | undefined;
	/** The program's own id of this call; absent where it gives none. */
	readonly toolUseId?: string | undefined;
	readonly mode: AskingMode;
};

/** The input of a hook: a call, an event that Sluice has nothing to say about, or nothing that can be understood, for the reason in words. */
export type HookReading =
	| {readonly kind: 'call'; readonly call: HookCall}
	| {readonly kind: 'other-event'}
	| {readonly kind: 'unreadable'; readonly reason: string};

/** The decision about a call. `undecided`: nobody decided about a call that waited for a person. `nothing`: the program goes its normal way. */
export type HookDecision =
	| {readonly kind: 'allow' | 'nothing'}
	| {readonly kind: 'deny' | 'undecided'; readonly message: string};

/** The output of a hook. Exit code 2 blocks a call in every program that reads exit codes. */
export type HookAnswer = {readonly stdout: string; readonly stderr: string; readonly exitCode: 0 | 2};

/** An answer on stdout: JSON, or nothing. */
export function printed(value?: JsonObject): HookAnswer {
	return {stdout: value ? `${JSON.stringify(value)}\n` : '', stderr: '', exitCode: 0};
}

/** An answer by exit code, with the reason for the program. */
export function blocked(message: string): HookAnswer {
	return {stdout: '', stderr: `sluice: ${message}\n`, exitCode: 2};
}

/** A member of the payload if it is a text that says something. */
export function textMember(object: JsonObject, name: string): string | undefined {
	const value = ownMember(object, name);
	return typeof value === 'string' && value !== '' ? value : undefined;
}

/** Modes of Claude Code and Codex in which a person is never asked. */
const silentModes: ReadonlySet<string | undefined> = new Set(['bypassPermissions', 'dontAsk']);

/** The names of the members that hold a session and a call. */
type MemberNames = {readonly session: readonly string[]; readonly toolUse: string};

/** Reads the flat payload that most programs send: `tool_name`, `tool_input`, `cwd` and an event. */
export function readFlatCall(payload: JsonObject, event: string, names: MemberNames): HookReading {
	const tool = textMember(payload, 'tool_name');
	const input = ownMember(payload, 'tool_input');
	if (tool === undefined || !isJsonObject(input)) {
		return {kind: 'unreadable', reason: `The event ${event} has no tool_name, or its tool_input is not an object`};
	}

	const mode = silentModes.has(textMember(payload, 'permission_mode')) ? 'never-asks' : 'asks';
	return {
		kind: 'call',
		call: {
			event,
			tool,
			input,
			cwd: textMember(payload, 'cwd'),
			session: names.session.map(name => textMember(payload, name)).find(one => one !== undefined),
			toolUseId: textMember(payload, names.toolUse),
			mode,
		},
	};
}
