import {type ToolDefinition} from '../mcp/connection.ts';
import {hashJson} from '../util/json-hash.ts';
import {type JsonObject} from '../util/json-text.ts';

/** What of a definition counts: a change in any of it voids remembered approvals (docs/tool-servers.md, Results). */
export function definitionJson(definition: ToolDefinition): JsonObject {
	const {name, description, inputSchema, outputSchema, annotations} = definition;
	return {
		name,
		inputSchema,
		...(description === undefined ? {} : {description}),
		...(outputSchema === undefined ? {} : {outputSchema}),
		...(annotations === undefined ? {} : {annotations: Object.fromEntries(Object.entries(annotations))}),
	};
}

/** Names one definition of a tool; the order of members does not matter. */
export function fingerprint(definition: ToolDefinition): string {
	return hashJson(definitionJson(definition));
}
