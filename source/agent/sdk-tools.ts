import {dynamicTool, jsonSchema, type ToolSet} from 'ai';
import {cutText, type JsonValue} from '../util/json-text.ts';
import {type AgentAnswer, type AgentTool} from './agent-tool.ts';
import {modelToolName} from './models/model-tool-name.ts';
import {type UseTool} from './use-tool.ts';

const mostDescriptionCharacters = 4000;

/** The tools of a run as the AI SDK takes them, under names that every model takes. `resultImages`: pictures in results reach the model as pictures. */
export function sdkTools(
	tools: ReadonlyArray<{readonly tool: AgentTool; readonly use: UseTool}>,
	{resultImages}: {readonly resultImages: boolean},
): ToolSet {
	return Object.fromEntries(tools.map(({tool, use}) => [modelToolName(tool.name), sdkTool(tool, use, resultImages)]));
}

function sdkTool(tool: AgentTool, use: UseTool, resultImages: boolean): ToolSet[string] {
	// Identifiers of schemas mean nothing to models, and some refuse them.
	const {$schema: _, $id: __, ...inputSchema} = tool.inputSchema;
	return dynamicTool({
		description: cutText(tool.description, mostDescriptionCharacters),
		inputSchema: jsonSchema({properties: {}, ...inputSchema, type: 'object'}),
		execute: (input, {toolCallId, abortSignal = new AbortController().signal}): Promise<AgentAnswer> =>
			// What comes here was JSON on the wire.
			use({id: toolCallId, input: input as JsonValue, signal: abortSignal}),
		toModelOutput: ({output}) => modelOutput(output as AgentAnswer, resultImages),
	});
}

type ModelOutput = Awaited<ReturnType<NonNullable<ToolSet[string]['toModelOutput']>>>;

/** Plain text wherever it will do: several providers send anything else as JSON. */
function modelOutput({outcome, text, images = []}: AgentAnswer, resultImages: boolean): ModelOutput {
	if (outcome !== 'ok') {
		return {type: 'error-text', value: text};
	}

	if (images.length === 0 || !resultImages) {
		return {type: 'text', value: text};
	}

	return {
		type: 'content',
		value: [
			{type: 'text', text},
			...images.map(({bytes, mediaType}) => ({
				type: 'file' as const,
				mediaType,
				data: {type: 'data' as const, data: Buffer.from(bytes).toString('base64')},
			})),
		],
	};
}
