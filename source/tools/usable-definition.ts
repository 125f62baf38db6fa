import {type ToolDefinition} from '../mcp/connection.ts';
import {jsonDepth} from '../util/json-text.ts';
import {Problem} from '../util/problem.ts';
import {safeText} from '../util/safe-text.ts';
import {definitionJson} from './fingerprint.ts';

/** Definitions nested deeper than this are none that a model could use. */
const deepestDefinition = 100;

/** False for a definition that must not be registered. */
export function isUsable(definition: ToolDefinition): boolean {
	return definition.name !== '' && jsonDepth(definitionJson(definition)) <= deepestDefinition;
}

/** The warning for the row of the server. */
export function unusable(server: string, definition: ToolDefinition): Problem {
	const name = safeText(definition.name, {maximumCharacters: 100});
	const message = `The tool "${name}" is not registered: it has no name, or its definition is nested deeper than ${deepestDefinition} levels`;
	return new Problem('tool_unusable', {message, level: 'warning', scope: {kind: 'server', name: server}});
}
