import {findWarnings, type RouteRow, routeRows} from '../../gateway/route-rows.ts';
import {safeText} from '../../util/safe-text.ts';
import {type CommandContext, type ExitCode} from '../cli/command.ts';
import {printRows, widestCell} from '../cli/listing.ts';
import {withClient} from '../cli/connect-gateway.ts';
import {runCommand} from '../cli/run-command.ts';
import {noWords} from '../cli/words.ts';
import {type OpenEvents, withEvents} from '../events/event-access.ts';
import {listSubscriptions, type OpenRoutes, type RouteRegistry} from './route-registry.ts';
import {webhookBase} from './webhook-url.ts';

/** `sluice webhook list [--json]`: the routes of config.yaml and the subscriptions. */
export function runWebhookList(
	context: CommandContext,
	openRoutes: OpenRoutes,
	openEvents: OpenEvents,
): Promise<ExitCode> {
	return runCommand(context, async () => {
		noWords(context, 'sluice webhook list [--json]');
		const rows = (await servedRoutes(context)) ?? (await listRoutes(context, await openRoutes(), openEvents));
		await printRows(context, rows, {
			titles: ['ROUTE', 'STATE', 'SOURCE', 'EVENTS', 'DELIVER', 'URL', 'REASON'],
			cells: row => [
				row.name,
				row.state,
				row.source,
				row.events.join(',') || 'all',
				row.deliver,
				row.url,
				row.reason ?? '',
			],
			below: wholeReason,
			none: 'There are no routes. Create one with `sluice webhook subscribe NAME`.',
		});
		return 0;
	});
}

/** The reason of a route below its row, where a cell cuts it: what to correct often stands at its end. */
function wholeReason({reason}: RouteRow): readonly string[] {
	return reason !== null && Array.from(reason).length > widestCell ? [`  ${safeText(reason)}`] : [];
}

/** The routes as the running gateway serves them; undefined when none runs that could say. */
function servedRoutes(context: CommandContext): Promise<readonly RouteRow[] | undefined> {
	return withClient(context, async client => {
		const rows = await client?.call('webhook.list', {}, {signal: context.signal}).catch(() => undefined);
		return rows ?? undefined;
	});
}

/** Every route by the files of the state directory, with what its stored events say about its templates. */
export async function listRoutes(
	context: CommandContext,
	registry: RouteRegistry,
	openEvents: OpenEvents,
): Promise<readonly RouteRow[]> {
	const subscriptions = listSubscriptions(registry);
	const warnings = await warningsOf(context, registry, openEvents);
	return routeRows({...registry, subscriptions, warnings}, await webhookBase(context, registry.webhook));
}

/** A list without them is better than none: the journal may be in use or unreadable. */
async function warningsOf(context: CommandContext, registry: RouteRegistry, openEvents: OpenEvents) {
	const routes = [...registry.webhook.routes, ...listSubscriptions(registry).flatMap(({route}) => route ?? [])];
	try {
		return await withEvents(context, openEvents, access => findWarnings(routes, access));
	} catch {
		return new Map<string, string>();
	}
}
