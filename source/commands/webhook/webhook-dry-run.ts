import {type RouteConfig} from '../../config/webhooks/route-entry.ts';
import {safeText} from '../../util/safe-text.ts';
import {type DryRun, dryRun, type DryRunOptions} from '../../webhooks/pipeline/dry-run.ts';
import {createListFiles} from '../../webhooks/filters/list-file.ts';
import {prepareRoute} from '../../webhooks/routes/prepared-route.ts';
import {type CommandContext} from '../cli/command-context.ts';
import {type RouteRegistry} from './route-registry.ts';
import {type TriedRequest} from './tried-request.ts';

/** What the route would do with the request, in this process: no gateway is needed. Its script runs, and nothing else happens. */
export function tryRoute(
	request: TriedRequest,
	route: RouteConfig,
	{
		registry,
		context,
		recent,
	}: {readonly registry: RouteRegistry; readonly context: CommandContext; readonly recent: DryRunOptions['recent']},
): Promise<DryRun> {
	const {expand, directory, webhook} = registry;
	const prepared = prepareRoute(route, {expand, lists: createListFiles(directory)});
	const {body, ...sent} = request;
	const {clock, signal} = context;
	const reportFault = (_route: string, fault: string) => context.stderr(`sluice: script: ${safeText(fault)}\n`);
	const runScript = registry.openScripts({signal, reportFault});
	const options = {clock, maxBodyBytes: webhook.maxBodyBytes, runScript, recent};
	return dryRun({body: Buffer.from(body, 'utf8'), ...sent}, prepared, options);
}
