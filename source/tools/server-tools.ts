import {type ServerConfig} from '../config/servers/server-entry.ts';
import {type ServerCapabilities} from '../mcp/connection.ts';
import {type Problem} from '../util/problem.ts';
import {isRegistered} from './filter.ts';
import {nativeTool, type RegisteredTool, utilityTool} from './registered-tool.ts';
import {isUsable, unusable} from './usable-definition.ts';
import {utilityTools} from './utility-tools.ts';

/** What of an offer may be registered, native tools first, and what cannot be. */
export type ServerTools = {readonly tools: readonly RegisteredTool[]; readonly problems: readonly Problem[]};

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
