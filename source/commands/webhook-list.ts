import {routeRows} from '../gateway/route-rows.ts';
import {findWarnings} from '../gateway/route-warnings.ts';
import {Problem} from '../util/problem.ts';
import {type CommandContext, type ExitCode} from './command-context.ts';
import {type OpenEvents, withEventAccess} from './event-access.ts';
import {jsonDocument} from './json-document.ts';
import {listSubscriptions, type RouteBook} from './route-book.ts';
import {runCommand} from './run-command.ts';
import {textTable} from './text-table.ts';
import {webhookBase} from './webhook-url.ts';

/** `sluice webhook list [--json]`: the routes of config.yaml and the subscriptions. */
export function runWebhookList(
	context: CommandContext,
	openBook: () => Promise<RouteBook>,
	openEvents: OpenEvents,
): Promise<ExitCode> {
	return runCommand(context, async () => {
		if (context.arguments.length > 0) {
			throw new Problem('bad_usage', {message: 'Usage: sluice webhook list [--json]'});
		}

		const book = await openBook();
		const sources = {
			...book,
			subscriptions: listSubscriptions(book),
			warnings: await warningsOf(context, book, openEvents),
		};
		const rows = routeRows(sources, await webhookBase(context, book.webhook));
		if (context.flags.json) {
			context.stdout(jsonDocument(rows));
		} else if (rows.length === 0) {
			context.stderr('There are no routes. `sluice webhook subscribe NAME` makes one.\n');
		} else {
			const cells = rows.map(row => [
				row.name,
				row.state,
				row.source,
				row.events.join(',') || 'all',
				row.deliver,
				row.url,
				row.reason ?? '',
			]);
			context.stdout(textTable(['ROUTE', 'STATE', 'SOURCE', 'EVENTS', 'DELIVER', 'URL', 'REASON'], cells));
		}

		return 0;
	});
}

/** A list without them is better than none: the journal may be in use or unreadable. */
async function warningsOf(context: CommandContext, book: RouteBook, openEvents: OpenEvents) {
	const routes = [...book.webhook.routes, ...listSubscriptions(book).flatMap(({route}) => route ?? [])];
	try {
		return await withEventAccess(context, openEvents, access => findWarnings(routes, access));
	} catch {
		return new Map<string, string>();
	}
}
