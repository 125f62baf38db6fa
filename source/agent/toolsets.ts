import {unknownWord} from '../config/values/did-you-mean.ts';
import {type GatewayConfig} from '../config/read/gateway-config.ts';
import {type RegisteredTool} from '../tools/catalogue.ts';
import {Problem} from '../util/problem.ts';
import {type RunTask} from './run-task.ts';

/** The built-in toolsets; each is one tool of the same name. */
export const builtInNames = ['web_search', 'web_extract', 'vision_analyze', 'clarify'] as const;

export type BuiltInName = (typeof builtInNames)[number];

/** The tools that a run may use. */
export type ToolSelection = {
	readonly builtIns: readonly BuiltInName[];
	/** Servers whose registered tools are included. */
	readonly servers: readonly string[];
	/** One warning for each dropped name. */
	readonly problems: readonly Problem[];
};

/** The tools that a run may call now. */
type RunTools = Pick<ToolSelection, 'builtIns' | 'problems'> & {readonly registered: readonly RegisteredTool[]};

/**
The tools of a run: the toolsets of its route or job, else those of the platform (docs/webhook-routes.md, Toolsets and skills). A run whose prompt a person
wrote, at the dashboard or as a cron job, may call everything, subject to approval. Pure.
*/
export function selectRunTools(
	{route, job, toolsets}: Pick<RunTask, 'route' | 'job' | 'toolsets'>,
	{
		config,
		tools,
	}: {
		readonly config: Pick<GatewayConfig, 'toolsets' | 'servers'>;
		readonly tools: {readonly list: () => readonly RegisteredTool[]; readonly isAttended: () => boolean};
	},
): RunTools {
	const servers = config.servers.map(server => server.name);
	const everything = [...builtInNames, ...servers.map(name => `mcp-${name}`)];
	const names = toolsets ?? (route === '' || job !== undefined ? everything : config.toolsets.webhook);
	const selection = selectTools(names, {servers, attended: tools.isAttended()});
	const registered = tools.list().filter(tool => selection.servers.includes(tool.server));
	return {builtIns: selection.builtIns, problems: selection.problems, registered};
}

/**
Resolves the names of toolsets: built-ins, and tool servers as `mcp-<server>` or by their own name. An unknown name is dropped with a warning
(docs/webhook-routes.md, Toolsets and skills). `clarify` needs a person, so an unattended run goes without it; there is no warning, because the default names it.
Pure.
*/
export function selectTools(
	names: readonly string[],
	options: {readonly servers: readonly string[]; readonly attended: boolean},
): ToolSelection {
	const {servers, attended} = options;
	const meant = names.map(name => ({
		name,
		server: servers.find(server => name === server || name === `mcp-${server}`),
	}));
	const builtIns = builtInNames.filter(name => names.includes(name) && (name !== 'clarify' || attended));
	return {
		builtIns,
		servers: [...new Set(meant.flatMap(({name, server}) => (server === undefined || isBuiltIn(name) ? [] : [server])))],
		problems: meant.filter(({name, server}) => server === undefined && !isBuiltIn(name)).map(({name}) => dropped(name)),
	};
}

function isBuiltIn(name: string): boolean {
	return builtInNames.some(builtIn => builtIn === name);
}

function dropped(name: string): Problem {
	const allowed = `${builtInNames.join(', ')}, and mcp- followed by the name of a server`;
	const message = `${unknownWord(name, {noun: 'toolset', words: builtInNames, allowed})}. It is ignored`;
	return new Problem('unknown_toolset', {message, level: 'warning'});
}
