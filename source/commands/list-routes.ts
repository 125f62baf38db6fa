import {routeRows, type RouteRow} from '../gateway/route-rows.ts';
import {findWarnings} from '../gateway/route-warnings.ts';
import {type CommandContext} from './command-context.ts';
import {type OpenEvents, withEventAccess} from './event-access.ts';
import {listSubscriptions, type RouteBook} from './route-book.ts';
import {webhookBase} from './webhook-url.ts';

/** Every route as it stands, with what its stored events say about its templates. */
export async function listRoutes(
	context: CommandContext,
	book: RouteBook,
	openEvents: OpenEvents,
): Promise<readonly RouteRow[]> {
	const subscriptions = listSubscriptions(book);
	const warnings = await warningsOf(context, book, openEvents);
	return routeRows({...book, subscriptions, warnings}, await webhookBase(context, book.webhook));
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
