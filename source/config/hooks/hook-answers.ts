import {type JsonObject} from '../../util/json-text.ts';
import {type HookAnswer, type HookDecision, printed} from './hook-call.ts';

/* The answers of each program to a decision, at one of its events. */

const nothing = printed();
const emptyObject = printed({});

/** https://code.claude.com/docs/en/hooks and https://developers.openai.com/codex/hooks: the question that the program is about to ask. */
export function permissionRequest(decision: HookDecision): HookAnswer {
	switch (decision.kind) {
		case 'allow':
			return printed(requestDecision({behavior: 'allow'}));
		case 'deny':
			return printed(requestDecision({behavior: 'deny', message: decision.message}));
		case 'undecided':
		case 'nothing':
			// Without output the program asks its person.
			return nothing;
	}
}

function requestDecision(decision: JsonObject): JsonObject {
	return {hookSpecificOutput: {hookEventName: 'PermissionRequest', decision}};
}

/** The same documents: before each call, where Sluice only denies. Codex takes a bare allow for a failure of the hook. */
export function deniedToolUse(decision: HookDecision): HookAnswer {
	return decision.kind === 'deny' || decision.kind === 'undecided'
		? printed(toolUse('deny', decision.message))
		: nothing;
}

function toolUse(permissionDecision: 'allow' | 'deny' | 'ask', permissionDecisionReason: string): JsonObject {
	return {hookSpecificOutput: {hookEventName: 'PreToolUse', permissionDecision, permissionDecisionReason}};
}

/** https://code.visualstudio.com/docs/agents/reference/hooks-reference */
export function vscodeToolUse(decision: HookDecision): HookAnswer {
	switch (decision.kind) {
		case 'allow':
			return printed(toolUse('allow', 'Allowed in Sluice'));
		case 'deny':
			return printed(toolUse('deny', decision.message));
		case 'undecided':
			return printed(toolUse('ask', decision.message));
		case 'nothing':
			return emptyObject;
	}
}

/** https://geminicli.com/docs/hooks/reference: it has no documented answer that makes it ask. */
export function geminiTool(decision: HookDecision): HookAnswer {
	switch (decision.kind) {
		case 'allow':
			return printed({decision: 'allow'});
		case 'deny':
		case 'undecided':
			return printed({decision: 'deny', reason: decision.message});
		case 'nothing':
			// Anything but JSON counts as an allowance.
			return emptyObject;
	}
}

/** https://cursor.com/docs/agent/hooks: `ask` is not enforced at this event, and the model reads both messages. */
export function cursorToolUse(decision: HookDecision): HookAnswer {
	switch (decision.kind) {
		case 'allow':
			return printed({permission: 'allow'});
		case 'deny':
		case 'undecided':
			return printed({permission: 'deny', user_message: decision.message, agent_message: decision.message});
		case 'nothing':
			return emptyObject;
	}
}

/** The same for an entry of Claude Code that Cursor runs. */
export function cursorClaudeToolUse(decision: HookDecision): HookAnswer {
	const own = JSON.parse(cursorToolUse(decision).stdout) as JsonObject;
	switch (decision.kind) {
		case 'allow':
			return printed({...own, ...toolUse('allow', 'Allowed in Sluice')});
		case 'deny':
		case 'undecided':
			return printed({...own, ...toolUse('deny', decision.message)});
		case 'nothing':
			return emptyObject;
	}
}

/** Antigravity reads this member alone, and ignores answers in the shape of Claude Code. */
export function antigravityDenial(message: string): HookAnswer {
	return printed({decision: 'deny', reason: message});
}

/** Before each call; without output Antigravity goes its own way. */
export function antigravityAnswer(decision: HookDecision): HookAnswer {
	return decision.kind === 'deny' || decision.kind === 'undecided' ? antigravityDenial(decision.message) : nothing;
}

/** The answer to the plugin (`config/programs/opencode-plugin.ts`), which leaves the dialog to the person when there is none. */
export function opencodeReply(decision: HookDecision): HookAnswer {
	switch (decision.kind) {
		case 'allow':
			return printed({reply: 'once'});
		case 'deny':
			return printed({reply: 'reject', message: decision.message});
		case 'undecided':
		case 'nothing':
			return nothing;
	}
}
