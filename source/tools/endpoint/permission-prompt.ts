import {type HookedCallDecision} from '../../state/hook-decision.ts';
import {builtInServer} from '../../config/servers/server-entry.ts';
import {type ToolDefinition} from '../../mcp/connection.ts';
import {isJsonObject, type JsonValue, ownMember} from '../../util/json-text.ts';
import {Problem} from '../../util/problem.ts';
import {safeText} from '../../util/safe-text.ts';
import {type DecideHook, type HookQuestion} from '../decide-hook.ts';
import {nativeTool, type RegisteredTool} from '../registered-tool.ts';
import {failure, type ToolOutcome} from '../tool-outcome.ts';
import {type CallOptions, type ToolCall} from '../validate-call.ts';
import {type EndpointTools} from './endpoint-tools.ts';

/** https://code.claude.com/docs/en/cli-reference: `--permission-prompt-tool` names a tool that gets these arguments and answers with JSON in a text. */
const definition: ToolDefinition = {
	name: 'permission_prompt',
	description:
		'Asks a person about a call that Claude Code is about to make itself: claude -p --permission-prompt-tool mcp__sluice__permission_prompt',
	inputSchema: {
		type: 'object',
		properties: {
			tool_name: {type: 'string'},
			input: {type: 'object'},
			tool_use_id: {type: 'string'},
		},
		required: ['tool_name', 'input'],
	},
};

const promptTool: RegisteredTool = {
	...nativeTool({name: builtInServer, trust: 'full'}, definition),
	name: definition.name,
};

/** The tools of a client with the tool `permission_prompt` beside them (docs/hooks.md, Claude Code without a terminal). `name` is that of its token. */
export function withPermissionPrompt(tools: EndpointTools, decide: DecideHook, name: string): EndpointTools {
	const find = (called: string) => (called === promptTool.name ? promptTool : tools.find(called));
	return {
		...tools,
		find,
		list: () => [...tools.list(), promptTool],
		callTool: (call, options) =>
			call.name === promptTool.name ? answerPrompt(call, options, {decide, name}) : tools.callTool(call, options),
	};
}

async function answerPrompt(
	{arguments: args, origin, flaw}: ToolCall,
	options: CallOptions,
	{decide, name}: {readonly decide: DecideHook; readonly name: string},
): Promise<ToolOutcome> {
	const asked = readPrompt(args);
	if (!asked || flaw !== undefined) {
		const message = flaw ?? 'The arguments are tool_name, a text, and input, an object';
		return failure(new Problem('invalid_arguments', {message: safeText(message)}), builtInServer);
	}

	try {
		const question: HookQuestion = {
			...asked,
			program: 'claude-code',
			via: 'permission_prompt',
			waits: 'person',
			mode: 'asks',
			// The id alone names a call there: nothing tells the sessions of one client apart.
			session: name,
			origin,
			address: `the client ${name} claims that Claude Code makes this call itself`,
			grants: 'once-unmasked',
		};
		return {kind: 'result', result: JSON.stringify(promptAnswer(await decide(question, options), asked.input))};
	} catch (caught) {
		return failure(new Problem('cancelled', {cause: caught}), builtInServer);
	}
}

/** The input goes back as it came. Without an answer of a person there is nobody else to ask. */
function promptAnswer({decision, message}: HookedCallDecision, input: JsonValue) {
	return decision === 'allow'
		? {behavior: 'allow', updatedInput: input}
		: {behavior: 'deny', message: message ?? 'Sluice did not allow it'};
}

function readPrompt(args: JsonValue): Pick<HookQuestion, 'tool' | 'input' | 'tool_use_id'> | undefined {
	if (!isJsonObject(args)) {
		return undefined;
	}

	const tool = ownMember(args, 'tool_name');
	const input = ownMember(args, 'input');
	const id = ownMember(args, 'tool_use_id');
	return typeof tool === 'string' && tool !== '' && isJsonObject(input)
		? {tool, input, ...(typeof id === 'string' && {tool_use_id: id})}
		: undefined;
}
