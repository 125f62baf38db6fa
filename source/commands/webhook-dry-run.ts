import {type RouteConfig} from '../config/route-entry.ts';
import {Problem} from '../util/problem.ts';
import {safeText} from '../util/safe-text.ts';
import {type DryRun, dryRun} from '../webhooks/dry-run.ts';
import {createListFiles} from '../webhooks/list-file.ts';
import {prepareRoute} from '../webhooks/prepared-route.ts';
import {type CommandContext} from './command-context.ts';
import {type RouteBook} from './route-book.ts';

/** What is tried: a typed body, or an event of the journal. */
export type TriedRequest = {readonly body: string; readonly headers: Readonly<Record<string, string>>};

/** What the route would do with the request, in this process: no gateway is needed. Its script runs, and nothing else happens. */
export function tryRoute(
	request: TriedRequest,
	route: RouteConfig,
	{book, context}: {readonly book: RouteBook; readonly context: CommandContext},
): Promise<DryRun> {
	const encoding = request.headers['content-encoding'] ?? 'identity';
	if (encoding !== 'identity') {
		throw new Problem('not_replayable', {message: 'The event was sent compressed; a dry run cannot read its body'});
	}

	const {expand, directory, webhook} = book;
	const prepared = prepareRoute(route, {expand, lists: createListFiles(directory)});
	const {body, headers} = request;
	const {clock, signal} = context;
	const reportFault = (_route: string, fault: string) => context.stderr(`sluice: script: ${safeText(fault)}\n`);
	const runScript = book.openScripts({signal, reportFault});
	const options = {clock, maxBodyBytes: webhook.maxBodyBytes, runScript};
	return dryRun({body: Buffer.from(body, 'utf8'), headers}, prepared, options);
}

const shownCharacters = 20_000;

/** A dry run for a person. */
export function dryRunText({route, event, status, outcome, reason, filters, action}: DryRun): string {
	const verdict = [status, outcome, reason].filter(word => word !== null).join(' ');
	const facts = [`route: ${route}`, `event: ${event}`, `verdict: ${verdict}`, `filters: ${filters}`];
	const acts = action && [
		`action: ${action.kind}`,
		`deliver: ${action.deliver}`,
		`deliver_extra: ${JSON.stringify(action.deliver_extra)}`,
	];
	const lines = [...facts, ...(acts ?? ['action: none'])].map(line => safeText(line));
	const prompt = action ? ['', safeText(action.prompt, {multiline: true, maximumCharacters: shownCharacters})] : [];
	return `${[...lines, ...prompt].join('\n')}\n`;
}
