import {routeRows, type RouteRow} from '../../gateway/route-rows.ts';
import {findWarnings} from '../../gateway/route-warnings.ts';
import {type CommandContext} from '../cli/command-context.ts';
import {type OpenEvents, withEventAccess} from '../events/event-access.ts';
import {listSubscriptions, type RouteRegistry} from './route-registry.ts';
import {webhookBase} from './webhook-url.ts';

/** Every route as it stands, with what its stored events say about its templates. */
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
		return await withEventAccess(context, openEvents, access => findWarnings(routes, access));
	} catch {
		return new Map<string, string>();
	}
}
