import {type RouteConfig} from '../config/route-entry.ts';
import {safeText} from '../util/safe-text.ts';
import {type DryRun, dryRun, type DryRunOptions} from '../webhooks/dry-run.ts';
import {createListFiles} from '../webhooks/list-file.ts';
import {prepareRoute} from '../webhooks/prepared-route.ts';
import {type CommandContext} from './command-context.ts';
import {type RouteBook} from './route-book.ts';
import {type TriedRequest} from './tried-request.ts';

/** What the route would do with the request, in this process: no gateway is needed. Its script runs, and nothing else happens. */
export function tryRoute(
	request: TriedRequest,
	route: RouteConfig,
	{
		book,
		context,
		seen,
	}: {readonly book: RouteBook; readonly context: CommandContext; readonly seen: DryRunOptions['seen']},
): Promise<DryRun> {
	const {expand, directory, webhook} = book;
	const prepared = prepareRoute(route, {expand, lists: createListFiles(directory)});
	const {body, headers} = request;
	const {clock, signal} = context;
	const reportFault = (_route: string, fault: string) => context.stderr(`sluice: script: ${safeText(fault)}\n`);
	const runScript = book.openScripts({signal, reportFault});
	const options = {clock, maxBodyBytes: webhook.maxBodyBytes, runScript, seen};
	return dryRun({body: Buffer.from(body, 'utf8'), headers}, prepared, options);
}
