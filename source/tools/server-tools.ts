import {type ServerConfig, type ToolsPolicy} from '../config/servers/server-entry.ts';
import {type ServerCapabilities, type ToolDefinition} from '../mcp/connection.ts';
import {fnmatch} from '../util/fnmatch.ts';
import {isDeeperThan} from '../util/json-text.ts';
import {memoizeByObject} from '../util/memoize.ts';
import {Problem} from '../util/problem.ts';
import {definitionJson, nativeTool, registeredName, type RegisteredTool, utilityTool} from './registered-tool.ts';
import {utilityTools} from './utility-tools.ts';
import {quoted} from '../util/safe-text.ts';

/** The tools of a server that may be registered, native ones first, and the problems of the others. */
type ServerTools = {readonly tools: readonly RegisteredTool[]; readonly problems: readonly Problem[]};

/** Applies filters and capabilities of one server (docs/tool-servers.md, Filters). */
export function toolsOf(config: ServerConfig, offer: ServerCapabilities): ServerTools {
	const chosen = offer.tools.filter(tool => isRegistered(tool.name, config.tools));
	const native = chosen.filter(isUsable).map(definition => nativeTool(config, definition));
	const utility = utilityTools(config.tools, offer).map(tool => utilityTool(config, tool));
	return {
		tools: [...native, ...utility],
		problems: chosen.filter(tool => !isUsable(tool)).map(tool => unusable(config.name, tool)),
	};
}

/**
True if a native tool passes the filters of its server (docs/tool-servers.md, Filters).
`name` is the tool's own name, including hyphens and dots. With an allow-list, the deny-list is ignored.
*/
export function isRegistered(name: string, policy: Pick<ToolsPolicy, 'include' | 'exclude'>): boolean {
	const matches = (pattern: string) => fnmatch(name, pattern);
	return policy.include ? policy.include.some(matches) : !policy.exclude.some(matches);
}

/** No model could use a more deeply nested definition. */
const deepestDefinition = 100;

/** False for a definition that must not be registered. */
const isUsable = memoizeByObject(
	(definition: ToolDefinition) =>
		definition.name !== '' && !isDeeperThan(definitionJson(definition), deepestDefinition),
);

/** The warning for the row of the server. */
function unusable(server: string, definition: ToolDefinition): Problem {
	const name = quoted(definition.name, {maximumCharacters: 100});
	const message = `The tool ${name} is not registered: it has no name, or its definition is nested more than ${deepestDefinition} levels deep`;
	return new Problem('tool_unusable', {message, level: 'warning', scope: {kind: 'server', name: server}});
}

/** A tool of a server, with whether it can be called, and if not, why. */
export type ListedTool = {
	readonly tool: Pick<RegisteredTool, 'name' | 'server' | 'tool' | 'definition' | 'fingerprint' | 'trust'>;
	readonly state: 'registered' | 'filtered' | 'name-taken' | 'unusable';
	/** Safe to show. */
	readonly reason?: string;
};

/** All tools of a server in its order, then the utility tools. `tools` are those that passed its filters; `refusalOf` returns why a name is taken. */
export function toolAvailability(
	config: ServerConfig,
	offer: ServerCapabilities,
	naming: {
		readonly tools: readonly RegisteredTool[];
		readonly refusalOf: (tool: RegisteredTool) => string | undefined;
	},
): ListedTool[] {
	const registered = (tool: RegisteredTool): ListedTool => {
		const reason = naming.refusalOf(tool);
		return reason === undefined ? {tool, state: 'registered'} : {tool, state: 'name-taken', reason};
	};

	const native = new Map(naming.tools.filter(({kind}) => kind === 'native').map(tool => [tool.definition, tool]));
	const unregistered = (definition: ServerCapabilities['tools'][number]): ListedTool => {
		const {name} = definition;
		const tool = {
			name: registeredName(config.name, name),
			server: config.name,
			tool: name,
			definition,
			fingerprint: '',
			trust: config.trust,
		};
		return isUsable(definition) || !isRegistered(name, config.tools)
			? {tool, state: 'filtered', reason: 'excluded by `tools` of its server'}
			: {tool, state: 'unusable', reason: unusable(config.name, definition).message};
	};

	return [
		...offer.tools.map(definition => {
			const tool = native.get(definition);
			return tool ? registered(tool) : unregistered(definition);
		}),
		...naming.tools.filter(({kind}) => kind === 'utility').map(registered),
	];
}
