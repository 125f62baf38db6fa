import {type ToolFilter} from '../../config/read/endpoint-clients.ts';
import {fnmatch} from '../../util/fnmatch.ts';
import {memoizeByObject} from '../../util/memoize.ts';
import {type RegisteredTool} from '../registered-tool.ts';
import {failure} from '../tool-outcome.ts';
import {unknownTool} from '../validate-call.ts';
import {type EndpointTools} from './endpoint-tools.ts';

/** The tools that a client is offered, by registered name or by server and name (docs/endpoint.md, Clients). To this client the others do not exist. */
export function offeredTools(tools: EndpointTools, filter: ToolFilter): EndpointTools {
	if (filter.include === undefined && filter.exclude.length === 0) {
		return tools;
	}

	const isOffered = isOfferedBy(filter);
	const find = (name: string) => {
		const tool = tools.find(name);
		return tool && isOffered(tool) ? tool : undefined;
	};

	return {
		...tools,
		find,
		list: () => tools.list().filter(isOffered),
		callTool: async (call, options) =>
			tools.find(call.name) && !find(call.name) ? failure(unknownTool(call.name)) : tools.callTool(call, options),
	};
}

/** True for the tools that this filter leaves. */
export const isOfferedBy = memoizeByObject(({include, exclude}: ToolFilter) =>
	memoizeByObject(({name, server, tool}: RegisteredTool) => {
		const matches = (pattern: string) => fnmatch(name, pattern) || fnmatch(`${server}/${tool}`, pattern);
		return include ? include.some(matches) : !exclude.some(matches);
	}),
);
