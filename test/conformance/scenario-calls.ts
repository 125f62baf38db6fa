import * as z from 'zod';
import {type RegisteredTool} from '../../source/tools/registered-tool.ts';
import {isJsonObject, type JsonObject, type JsonValue, ownMember} from '../../source/util/json-text.ts';

type Call = {readonly name: string; readonly arguments: JsonObject};

const contextSchema = z.object({
	toolCalls: z.array(z.object({name: z.string(), arguments: z.custom<JsonObject>(isJsonObject)})),
});

/**
What to call in a scenario: the calls it names itself, else every registered tool once. Tools the program refused to register are not called:
some scenarios are about that.
*/
export function callsOf(
	scenario: string,
	{tools, context}: {readonly tools: readonly RegisteredTool[]; readonly context: string | undefined},
): readonly Call[] {
	const named = contextSchema.safeParse(JSON.parse(context ?? '{}')).data?.toolCalls;
	if (named) {
		return named.flatMap(call => {
			const tool = tools.find(({tool}) => tool === call.name);
			return tool ? [{name: tool.name, arguments: call.arguments}] : [];
		});
	}

	return tools.map(tool => ({name: tool.name, arguments: argumentsFor(tool, scenario, tools)}));
}

function argumentsFor(tool: RegisteredTool, scenario: string, tools: readonly RegisteredTool[]): JsonObject {
	const {inputSchema} = tool.definition;
	if (scenario === 'json-schema-2020-12-preservation') {
		const focal = tools.find(other => other.tool !== tool.tool && other.kind === 'native');
		return {schema: focal?.definition.inputSchema ?? {}};
	}

	const required = ownMember(inputSchema, 'required');
	const properties = ownMember(inputSchema, 'properties');
	const names = Array.isArray(required) ? required.filter(name => typeof name === 'string') : [];
	const entries = names.map((name): [string, JsonValue] => [
		name,
		sample(name, isJsonObject(properties) ? properties[name] : undefined),
	]);
	return Object.fromEntries(entries);
}

/** A value that fits what a scenario asks for. */
function sample(name: string, schema: JsonValue | undefined): JsonValue {
	const written = isJsonObject(schema) ? schema['type'] : '';
	const type = typeof written === 'string' ? written : '';
	if (name === 'uri') {
		return 'file:///path/to/file%20name.txt';
	}

	switch (type) {
		case 'number':
		case 'integer':
			return 5;
		case 'boolean':
			return true;
		case 'array':
			return [];
		case 'object':
			return {};
		default:
			return 'test';
	}
}
