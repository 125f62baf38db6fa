import {type GatewayConfig} from '../config/read/gateway-config.ts';
import {type RegisteredTool} from '../tools/catalogue.ts';
import {type RunTask} from './run-task.ts';
import {builtInNames, selectTools, type ToolSelection} from './toolsets.ts';

/** The tools of a run as they are now. */
export type RunTools = Pick<ToolSelection, 'builtIns' | 'problems'> & {readonly registered: readonly RegisteredTool[]};

/**
What a run may call: the toolsets of its route or job, else those of the platform (docs/webhooks.md, Toolsets and skills). A run whose prompt a person wrote,
at the window or as a cron job, may call everything: what a person must agree to is asked at the approval check. Pure.
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
