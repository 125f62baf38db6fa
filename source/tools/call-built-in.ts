import {type CallContent, type ToolDefinition} from '../mcp/connection.ts';
import {memoizeByObject} from '../util/memoize.ts';
import {type CallTool, type CallToolOptions, createCallTool, type ToolOutcome} from './call-tool.ts';
import {builtInServer} from '../config/servers/server-entry.ts';
import {nativeTool, type RegisteredTool} from './registered-tool.ts';
import {type CallConnection, type CallOptions, type ToolCall} from './validate-call.ts';

/** A call of a built-in tool: what it is, and what it does. `work` returns the result, or throws a Problem. */
type BuiltInCall = Pick<ToolCall, 'arguments' | 'origin'> & {
	readonly definition: ToolDefinition;
	readonly work: (signal: AbortSignal) => Promise<string>;
};

/** Calls a built-in tool on the same path as the tools of servers: rules, hold, journal and events are theirs. Never rejects: errors are data. */
export type CallBuiltIn = (call: BuiltInCall, options: CallOptions) => Promise<ToolOutcome>;

/** Built-in tools only read or ask the person at the terminal, so nothing but a rule asks about them. */
const toolOf = memoizeByObject(
	(definition: ToolDefinition): RegisteredTool => ({
		...nativeTool({name: builtInServer, trust: 'full'}, definition),
		name: definition.name,
		readOnly: true,
	}),
);

/** Creates the calls of built-in tools of one profile. */
export function createCallBuiltIn(options: CallToolOptions): CallBuiltIn {
	return async ({definition, work, ...call}, callOptions) => {
		const tool = toolOf(definition);
		const connection: CallConnection = {
			config: {transport: {kind: 'built-in'}},
			async request(_, {signal, claim, beforeSend}): Promise<CallContent> {
				await claim?.();
				beforeSend?.();
				return {content: [{type: 'text', text: await work(signal)}], isError: false};
			},
		};
		const callTool: CallTool = createCallTool({
			...options,
			findTool: name => (name === tool.name ? tool : undefined),
			findConnection: () => connection,
		});
		return callTool({...call, name: tool.name}, callOptions);
	};
}
